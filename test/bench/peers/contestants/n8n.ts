// @n8n/chat: a Vue app, with its own streaming and its own history over HTTP.

import '@n8n/chat/style.css'
import { createChat } from '@n8n/chat'
import { type Contestant, messages, present, service } from '../contestant.ts'

let app: { unmount(): void }

const contestant: Contestant = {
  mount() {
    app = createChat({
      webhookUrl: `${service()}/n8n`,
      enableStreaming: true,
      loadPreviousSession: messages() > 0,
      initialMessages: [],
    })
  },
  launcher: () => document.querySelector<HTMLElement>('.chat-window-toggle'),
  open: () => contestant.launcher?.()?.click(),
  unmount: () => app.unmount(),
  ask() {
    const field = document.querySelector('textarea')
    if (!field) return
    field.value = 'Go on'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  },
  composer: () => document.querySelector('.chat-window textarea'),
  newest: () => [...document.querySelectorAll('.chat-message')].at(-1),
  scroller: () => document.querySelector('.chat-body'),
}
present(contestant)
