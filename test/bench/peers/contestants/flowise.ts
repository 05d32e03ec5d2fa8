// flowise-embed: a custom element, with its own streaming over server-sent events and its history in localStorage.

import Chatbot from 'flowise-embed/dist/web.js'
import { type Contestant, messages, present, service } from '../contestant.ts'
import { lineOf } from '../words.ts'

const FLOW = 'bench'
const inside = (selector: string) =>
  document.querySelector('flowise-chatbot')?.shadowRoot?.querySelectorAll(selector) ?? []

const contestant: Contestant = {
  mount() {
    if (messages() > 0) {
      const chatHistory = Array.from({ length: messages() }, (_, index) => {
        const { role, text } = lineOf(index + 1)
        return {
          messageId: String(index),
          message: text,
          type: role === 'visitor' ? 'userMessage' : 'apiMessage',
        }
      })
      localStorage.setItem(`${FLOW}_EXTERNAL`, JSON.stringify({ chatId: FLOW, chatHistory }))
    }
    Chatbot.init({ chatflowid: FLOW, apiHost: service() })
  },
  launcher: () => inside('button[part="button"]')[0] as HTMLElement | undefined,
  open: () => contestant.launcher?.()?.click(),
  unmount: () => Chatbot.destroy(),
  ask() {
    const field = inside('textarea')[0] as HTMLTextAreaElement | undefined
    if (!field) return
    field.value = 'Go on'
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }))
  },
  composer: () => inside('textarea')[0],
  newest: () => [...inside('.chatbot-host-bubble, .chatbot-guest-bubble')].at(-1),
  scroller: () => inside('.chatbot-chat-view')[0],
}
present(contestant)
