/** @jsxImportSource preact */
// The floor: the same frames in a list, drawn as Preact's own guide shows, which follows its end once a frame. No Markdown, no styles but these,
// no reconnecting, no speech.

import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said } from '../feed.ts'

const root = document.body

function Chat() {
  const [lines, setLines] = useState<readonly Said[]>([])
  const log = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      connect({
        replayed: (said) => setLines((before) => [...before, ...said]),
        message: (said) => setLines((before) => [...before, said]),
        chunk: ({ id, text }) =>
          setLines((before) => {
            const last = before.at(-1)
            return last?.id === id
              ? [...before.slice(0, -1), { ...last, text: last.text + text }]
              : [...before, { id, text, role: 'agent', at: Date.now() }]
          }),
      }),
    [],
  )
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => log.current?.scrollTo(0, log.current.scrollHeight))
    return () => cancelAnimationFrame(frame)
  })
  return (
    <section
      style={{
        position: 'fixed',
        right: '16px',
        bottom: '80px',
        width: '380px',
        height: '600px',
        background: '#fff',
      }}
    >
      <div ref={log} class="log" style={{ height: '540px', overflowY: 'auto', whiteSpace: 'pre-wrap' }}>
        {lines.map(({ id, role, text }) => (
          <article key={id} class={role}>
            {text}
          </article>
        ))}
      </div>
      <textarea />
    </section>
  )
}

function App() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isOpen && <Chat />}
      <button
        type="button"
        style={{ position: 'fixed', right: '16px', bottom: '16px' }}
        onClick={() => setOpen(true)}
      >
        Chat
      </button>
    </>
  )
}

const contestant: Contestant = {
  mount: () => render(<App />, root),
  launcher: () => document.querySelector('button'),
  open: () => contestant.launcher?.()?.click(),
  unmount: () => render(null, root),
  composer: () => document.querySelector('textarea'),
  newest: () => document.querySelector('.log')?.lastElementChild,
  scroller: () => document.querySelector('.log'),
}
present(contestant)
