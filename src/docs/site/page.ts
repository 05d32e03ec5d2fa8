// Adds to a document what needs script: copy buttons, the place in the navigation, and open lists where there is room.

import { words } from '../words.ts'

const COPIED_MS = 2_000

/** Opens each list while the window is at least this wide, and closes it otherwise. docs.css has the same widths. */
for (const [list, room] of [
  ['.pages', '(min-width: 801px)'],
  ['.sections', '(min-width: 1240px)'],
] as const) {
  const details = document.querySelector<HTMLDetailsElement>(list)
  const media = matchMedia(room)
  const adapt = () => details && Object.assign(details, { open: media.matches })
  adapt()
  media.addEventListener('change', adapt)
}

const nav = document.querySelector<HTMLElement>('.aside')
const current = nav?.querySelector<HTMLElement>('[aria-current]')
if (nav && current) nav.scrollTop = current.offsetTop - nav.clientHeight / 2

const status = document.createElement('p')
status.className = 'hidden'
status.setAttribute('role', 'status')
document.body.append(status)

/** Browsers let only secure pages write to the clipboard. */
if (navigator.clipboard)
  for (const pre of document.querySelectorAll('main pre')) {
    const box = document.createElement('div')
    box.className = 'code'
    pre.replaceWith(box)
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain-button'
    button.textContent = words.copy
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent ?? '')
      button.textContent = status.textContent = words.copied
      setTimeout(() => {
        button.textContent = words.copy
        status.textContent = ''
      }, COPIED_MS)
    })
    box.append(pre, button)
  }

/** Keyboards scroll what is wider than the page. */
for (const wide of document.querySelectorAll<HTMLElement>('main pre, .table'))
  if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
