// The second floor: what a frame of another site takes with nothing in it but a line of text and a text field. Its module says hello to
// the page, and gets its answer and the focus.

import { type Contestant, present } from '../contestant.ts'

const origin = new URLSearchParams(location.search).get('bff') ?? ''
const launcher = document.createElement('button')
let frame: HTMLIFrameElement | undefined
launcher.textContent = 'Chat'
launcher.style.cssText = 'position: fixed; right: 16px; bottom: 16px'
launcher.onclick = () => {
  frame = document.createElement('iframe')
  frame.style.cssText =
    'position: fixed; right: 16px; bottom: 80px; width: 380px; height: 600px; border: 0; background: #fff'
  frame.src = `${origin}/empty/frame.html`
  document.body.append(frame)
}
addEventListener('message', ({ source, origin: from, data }) => {
  if (source !== frame?.contentWindow || from !== origin || data !== 'hello') return
  frame?.contentWindow?.postMessage('focus', origin)
  frame?.focus()
})

const contestant: Contestant = {
  mount: () => document.body.append(launcher),
  launcher: () => launcher,
  open: () => launcher.click(),
  unmount() {
    launcher.remove()
    frame?.remove()
  },
  // Of the frame: see `framed` in contestants.ts.
  composer: () => null,
  newest: () => null,
  scroller: () => null,
}
present(contestant)
