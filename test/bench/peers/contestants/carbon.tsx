/** @jsxImportSource react */
// @carbon/ai-chat: its React component, with messages of the service handed to its instance.

import { ChatContainer } from '@carbon/ai-chat'
import { createRoot } from 'react-dom/client'
import { type Contestant, present } from '../contestant.ts'
import { connect, type Said, whole } from '../feed.ts'

type Instance = {
  changeView(view: string): Promise<void>
  messaging: {
    addMessage(message: object): Promise<void>
    addMessageChunk(chunk: object): Promise<void>
    insertHistory(items: readonly object[]): Promise<void>
  }
}

let instance: Instance
let root: ReturnType<typeof createRoot>
let disconnect = () => {}

const response = ({ id, text }: Pick<Said, 'id' | 'text'>) => ({
  id,
  output: { generic: [{ response_type: 'text', text }] },
})
const message = (said: Said) =>
  said.role === 'visitor' ? { id: said.id, input: { message_type: 'text', text: said.text } } : response(said)
const item = (id: string, text: string) => ({
  response_type: 'text',
  text,
  streaming_metadata: { id: '1', cancellable: false },
  id,
})

/** Of the answer that streams. */
let streamed = ''

function begin(made: Instance): void {
  instance = made
  disconnect = connect(
    whole({
      replayed: (said) =>
        void instance.messaging.insertHistory(
          said.map((one) => ({ message: message(one), time: new Date(one.at).toISOString() })),
        ),
      message: (said) => void instance.messaging.addMessage(message(said)),
      chunk({ id, text, isLast }) {
        streamed += text
        const { messaging } = instance
        void messaging.addMessageChunk({
          partial_item: item('1', text),
          streaming_metadata: { response_id: id },
        })
        if (!isLast) return
        void messaging.addMessageChunk({
          complete_item: item('1', streamed),
          streaming_metadata: { response_id: id },
        })
        void messaging.addMessageChunk({ final_response: response({ id, text: streamed }) })
        streamed = ''
      },
    }),
  )
}

const found = new Map<string, Element>()
/** The first match, in open shadow roots too. There are many, so what was found is kept. */
function deep(selector: string, from: ParentNode = document): Element | undefined {
  const kept = found.get(selector)
  if (kept?.isConnected) return kept
  let match = from.querySelector(selector) ?? undefined
  for (const element of match ? [] : from.querySelectorAll('*')) {
    match = element.shadowRoot ? deep(selector, element.shadowRoot) : undefined
    if (match) break
  }
  if (match) found.set(selector, match)
  return match
}

const contestant: Contestant = {
  mount() {
    root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(
      <ChatContainer
        onBeforeRender={begin}
        messaging={{ customSendMessage: async () => {}, skipWelcome: true }}
        disableCustomElementMobileEnhancements
      />,
    )
  },
  open: () => void instance.changeView('mainWindow'),
  unmount() {
    disconnect()
    root.unmount()
  },
  composer: () => deep('[role=textbox]'),
  // The last one is the place of the typing indicator.
  newest: () => deep('.cds-aichat--messages')?.lastElementChild?.previousElementSibling,
  scroller: () => deep('.cds-aichat--messages__wrapper'),
}
present(contestant)
