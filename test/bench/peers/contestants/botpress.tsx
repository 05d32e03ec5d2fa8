/** @jsxImportSource react */
// @botpress/webchat: its parts, as its guide shows for a chat of one's own, since its client needs its maker's cloud.

import { Composer, Container, Fab, Header, MessageList } from '@botpress/webchat'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said, whole } from '../feed.ts'

const message = ({ id, role, text, at }: Said) => ({
  id,
  timestamp: new Date(at),
  block: { type: 'bubble', block: { type: 'text', text } },
  direction: role === 'visitor' ? 'outgoing' : 'incoming',
  sender: { name: role === 'visitor' ? 'You' : 'Ada' },
})

function App() {
  const [isOpen, setOpen] = useState(false)
  const [messages, setMessages] = useState<ReturnType<typeof message>[]>([])
  useEffect(
    () =>
      connect(
        whole({
          replayed: (said) => setMessages(said.map(message)),
          message: (said) => setMessages((before) => [...before, message(said)]),
          chunk() {},
        }),
      ),
    [],
  )
  const place = { position: 'fixed', right: 20, bottom: 90, width: 380, height: 600 } as const
  return (
    <>
      <Container connected style={{ ...place, display: isOpen ? 'flex' : 'none' }}>
        <Header closeWindow={() => setOpen(false)} configuration={{ botName: 'Ada' }} />
        <MessageList botName="Ada" messages={messages} sendMessage={async () => {}} />
        <Composer connected sendMessage={async () => {}} composerPlaceholder="Write" />
      </Container>
      <Fab
        onClick={() => setOpen(true)}
        style={{ position: 'fixed', right: 20, bottom: 20, width: 64, height: 64 }}
      />
    </>
  )
}

let root: ReturnType<typeof createRoot>
const contestant: Contestant = {
  mount() {
    root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(<App />)
  },
  launcher: () => document.querySelector<HTMLElement>('.bpFabContainer'),
  open: () => contestant.launcher?.()?.click(),
  unmount: () => root.unmount(),
  composer: () => document.querySelector('textarea'),
  newest: () => [...document.querySelectorAll('.bpMessageContainer')].at(-1),
  scroller: () => document.querySelector('.bpMessageListViewport'),
}
present(contestant)
