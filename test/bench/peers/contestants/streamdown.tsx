/** @jsxImportSource react */
// streamdown: no widget, but what draws Markdown as it streams in many of them. Only streaming is measured, in a bare React page.

import { createRoot } from 'react-dom/client'
import { Streamdown } from 'streamdown'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said } from '../feed.ts'

const root = createRoot(document.body.appendChild(document.createElement('div')))
let lines: readonly Said[] = []
let isDrawing = false

const draw = () => {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    root.render(
      <div className="log" style={{ height: 600, width: 380, overflowY: 'auto' }}>
        {lines.map(({ id, text }) => (
          <Streamdown key={id}>{text}</Streamdown>
        ))}
        <textarea />
      </div>,
    )
  })
}

const contestant: Contestant = {
  mount() {
    draw()
    connect({
      replayed() {},
      message() {},
      chunk({ id, text }) {
        const last = lines.at(-1)
        lines =
          last?.id === id
            ? [...lines.slice(0, -1), { ...last, text: last.text + text }]
            : [...lines, { id, text, role: 'agent', at: Date.now() }]
        draw()
      },
    })
  },
  unmount: () => root.unmount(),
  composer: () => document.querySelector('textarea'),
  newest: () => document.querySelector('.log > div'),
  scroller: () => document.querySelector('.log'),
}
present(contestant)
