// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline.

import type { Chat, Handoff } from '../chat/index.ts'
import type { CoreWords } from './locales/en-core.ts'

type Pending = Extract<Handoff, { state: 'pending' }>

/** `queueLine`: describes the place in a queue, once it can. */
export function statusText(
  chat: Chat,
  say: CoreWords,
  queueLine: (handoff: Pending) => string | undefined,
): string {
  const handoff = chat.handoff.value
  const typing = chat.typing.value
  switch (chat.status.value) {
    case 'connecting':
      // Once the notice says that it takes long, two lines would say the same.
      return chat.notice.value === undefined ? say.statusConnecting : ''
    case 'reconnecting':
      return chat.notice.value === undefined ? answerer(chat, say) : ''
    case 'unavailable':
      return ''
    case 'offline':
      return say.statusOffline
    case 'ended':
    case 'expired':
      return say.statusEnded
    default:
      if (handoff.state === 'pending') return queueLine(handoff) ?? say.statusHandoff
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer(chat, say)
  }
}

const answerer = (chat: Chat, say: CoreWords): string =>
  chat.agent.value.live ? say.statusLive : say.statusReady
