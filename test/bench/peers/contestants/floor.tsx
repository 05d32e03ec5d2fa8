/** @jsxImportSource preact */
// The floor: the least that Preact can do with the same frames. No Markdown, no styles but these, no reconnecting, no speech.

import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said } from '../feed.ts'

const root = document.body
let lines: readonly Said[] = []
let isOpen = false
let disconnect = () => {}

function Line({ line }: { line: Said }) {
  return <article class={line.role}>{line.text}</article>
}

function Chat() {
  const log = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = log
    if (current) current.scrollTop = current.scrollHeight
  })
  return (
    <section
      style={{ position: 'fixed', right: 16, bottom: 80, width: 380, height: 600, background: '#fff' }}
    >
      <div ref={log} class="log" style={{ height: 540, overflowY: 'auto', whiteSpace: 'pre-wrap' }}>
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </div>
      <textarea />
    </section>
  )
}

function App() {
  return (
    <>
      {isOpen && <Chat />}
      <button type="button" style={{ position: 'fixed', right: 16, bottom: 16 }} onClick={open}>
        Chat
      </button>
    </>
  )
}

let isDrawing = false
/** Once a frame at most. */
const draw = () => {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    render(<App />, root)
  })
}

function open(): void {
  isOpen = true
  draw()
  disconnect = connect({
    replayed(said) {
      lines = [...lines, ...said]
      draw()
    },
    message(said) {
      lines = [...lines, said]
      draw()
    },
    chunk({ id, text }) {
      const last = lines.at(-1)
      lines =
        last?.id === id
          ? [...lines.slice(0, -1), { ...last, text: last.text + text }]
          : [...lines, { id, text, role: 'agent', at: Date.now() }]
      draw()
    },
  })
}

const contestant: Contestant = {
  mount: () => render(<App />, root),
  open,
  unmount() {
    disconnect()
    render(null, root)
  },
  composer: () => document.querySelector('textarea'),
  newest: () => document.querySelector('.log')?.lastElementChild,
  scroller: () => document.querySelector('.log'),
}
present(contestant)
