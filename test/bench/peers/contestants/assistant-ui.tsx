/** @jsxImportSource react */
// @assistant-ui/react: its modal and thread over an external store, with its own Markdown.

import {
  AssistantRuntimeProvider,
  ComposerPrimitive as Composer,
  MessagePrimitive as Message,
  AssistantModalPrimitive as Modal,
  ThreadPrimitive as Thread,
  useExternalStoreRuntime,
} from '@assistant-ui/react'
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said, whole } from '../feed.ts'

const parts = { Text: MarkdownTextPrimitive }
const UserMessage = () => (
  <Message.Root className="line">
    <Message.Parts />
  </Message.Root>
)
const AssistantMessage = () => (
  <Message.Root className="line">
    <Message.Parts components={parts} />
  </Message.Root>
)

const convert = ({ id, role, text, at }: Said) => ({
  id,
  role: role === 'visitor' ? ('user' as const) : ('assistant' as const),
  content: [{ type: 'text' as const, text }],
  createdAt: new Date(at),
})

function App() {
  const [lines, setLines] = useState<readonly Said[]>([])
  const [isRunning, setRunning] = useState(false)
  const runtime = useExternalStoreRuntime({
    messages: lines,
    isRunning,
    convertMessage: convert,
    onNew: async () => {},
  })
  useEffect(
    () =>
      connect(
        whole({
          replayed: (said) => setLines([...said]),
          message: (said) => setLines((before) => [...before, said]),
          chunk({ id, text, isLast }) {
            setRunning(!isLast)
            setLines((before) => {
              const last = before.at(-1)
              return last?.id === id
                ? [...before.slice(0, -1), { ...last, text: last.text + text }]
                : [...before, { id, text, role: 'agent', at: Date.now() }]
            })
          },
        }),
      ),
    [],
  )
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Modal.Root>
        <Modal.Anchor style={{ position: 'fixed', right: 16, bottom: 16 }}>
          <Modal.Trigger className="launcher">Chat</Modal.Trigger>
        </Modal.Anchor>
        <Modal.Content sideOffset={16} style={{ width: 380, height: 560, background: '#fff' }}>
          <Thread.Root>
            <Thread.Viewport className="log" style={{ height: 500, overflowY: 'auto' }}>
              <Thread.Messages components={{ UserMessage, AssistantMessage }} />
            </Thread.Viewport>
            <Composer.Root>
              <Composer.Input />
              <Composer.Send>Send</Composer.Send>
            </Composer.Root>
          </Thread.Root>
        </Modal.Content>
      </Modal.Root>
    </AssistantRuntimeProvider>
  )
}

let root: ReturnType<typeof createRoot>
const contestant: Contestant = {
  mount() {
    root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(<App />)
  },
  launcher: () => document.querySelector<HTMLElement>('.launcher'),
  open: () => contestant.launcher?.()?.click(),
  unmount: () => root.unmount(),
  composer: () => document.querySelector('textarea'),
  newest: () => [...document.querySelectorAll('.line')].at(-1),
  scroller: () => document.querySelector('.log'),
}
present(contestant)
