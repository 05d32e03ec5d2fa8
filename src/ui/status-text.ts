// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline, and
// stands for the notice where that is not loaded.

import type { Chat, Handoff } from '../chat/index.ts'
import type { CoreWords } from './locales/en-core.ts'

type Pending = Extract<Handoff, { state: 'pending' }>

/** `queueLine`: describes the place in a queue; undefined until that, and the notice, are loaded. */
export function statusText(
  chat: Chat,
  say: CoreWords,
  queueLine: ((handoff: Pending) => string | undefined) | undefined,
): string {
  const handoff = chat.handoff.value
  const typing = chat.typing.value
  switch (chat.status.value) {
    case 'connecting':
    case 'reconnecting':
      // Once the notice says that it takes long, two lines would say the same.
      if (chat.notice.value) return queueLine ? '' : say.statusConnecting
      return chat.status.value === 'connecting' ? say.statusConnecting : answerer(chat, say)
    case 'unavailable':
      return queueLine ? '' : say.statusOffline
    case 'offline':
      return say.statusOffline
    case 'ended':
    case 'expired':
      return say.statusEnded
    default:
      if (handoff.state === 'pending') return queueLine?.(handoff) ?? say.statusHandoff
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer(chat, say)
  }
}

const answerer = (chat: Chat, say: CoreWords): string =>
  chat.agent.value.live ? say.statusLive : say.statusReady
