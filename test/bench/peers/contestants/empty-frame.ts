// What any framed widget has to wait for: a press puts a frame of another site on the page, with nothing in it but a field.

import { type Contestant, present } from '../contestant.ts'

const bff = new URLSearchParams(location.search).get('bff')
const button = document.createElement('button')
button.textContent = 'Chat'
button.style.cssText = 'position: fixed; right: 16px; bottom: 16px; width: 56px; height: 56px'
button.onclick = () => {
  const frame = document.createElement('iframe')
  frame.src = `${bff}/empty.html`
  frame.style.cssText = 'position: fixed; right: 16px; bottom: 80px; width: 380px; height: 600px'
  frame.onload = () => frame.focus()
  document.body.append(frame)
  frame.focus()
}

const contestant: Contestant = {
  mount: () => document.body.append(button),
  launcher: () => button,
  open: () => button.click(),
  unmount: () => document.body.replaceChildren(),
  // Of the frame: see FRAMED in contestants.ts.
  composer: () => null,
  newest: () => null,
  scroller: () => null,
}
present(contestant)
