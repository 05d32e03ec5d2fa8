// deep-chat: a custom element, with its own streaming over server-sent events. It has no launcher.

import 'deep-chat'
import type { DeepChat } from 'deep-chat'
import { type Contestant, messages, present, service } from '../contestant.ts'
import { lineOf } from '../words.ts'

let chat: DeepChat

const inside = (selector: string) => chat.shadowRoot?.querySelectorAll(selector) ?? []

const contestant: Contestant = {
  mount() {
    chat = document.createElement('deep-chat') as DeepChat
    chat.style.width = '380px'
    chat.style.height = '600px'
    chat.connect = { url: `${service()}/deep-chat`, stream: true }
    if (messages() > 0)
      chat.loadHistory = async () => {
        const lines = (await (await fetch(`${service()}/lines`)).json()) as ReturnType<typeof lineOf>[]
        return lines.map(({ role, text }) => ({ role: role === 'visitor' ? 'user' : 'ai', text }))
      }
    document.body.append(chat)
  },
  unmount: () => chat.remove(),
  async ask() {
    // It has its methods once it has drawn itself.
    while (!chat.submitUserMessage) await new Promise(requestAnimationFrame)
    chat.submitUserMessage({ text: 'Go on' })
  },
  append: (n) => chat.addMessage({ role: 'ai', text: lineOf(n).text }),
  composer: () => inside('#text-input')[0],
  newest: () => [...inside('.message-bubble')].at(-1),
  scroller: () => inside('#messages')[0],
}
present(contestant)
