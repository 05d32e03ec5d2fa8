// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline, and
// stands for the notice where that is not loaded.

import type { Chat, ChatStatus } from '../chat/index.ts'
import type { Rest } from './context.ts'
import type { CoreWords } from './locales/en-core.ts'

/** `locale`: BCP 47. `queueText`: describes the place in a queue; undefined until that, and the notice, are loaded. */
export function statusText(
  chat: Chat,
  say: CoreWords,
  locale: string,
  queueText: Rest['queueText'] | undefined,
): string {
  const handoff = chat.handoff.value
  const typing = chat.typing.value
  const notice = chat.notice.value
  // Two lines would say the same.
  const told = notice && queueText
  switch (chat.status.value) {
    case 'connecting':
      return told ? '' : say.statusConnecting
    case 'reconnecting':
      return told ? '' : notice ? say.statusConnecting : answerer(chat, say)
    case 'unavailable':
    case 'elsewhere':
      return told ? '' : say.statusOffline
    case 'offline':
      return say.statusOffline
    case 'ended':
    case 'expired':
      return say.statusEnded
    case 'idle':
    case 'live':
      if (handoff.state === 'pending') return queueText?.(say, locale, handoff) ?? say.statusHandoff
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer(chat, say)
  }
}

/** Whether nothing is tried until the visitor acts. */
export const isGivenUp = (status: ChatStatus): boolean => status === 'unavailable' || status === 'elsewhere'

const answerer = (chat: Chat, say: CoreWords): string =>
  chat.agent.value.live ? say.statusLive : say.statusReady
