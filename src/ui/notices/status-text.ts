// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline.

import type { Chat, ChatStatus } from '../../chat/index.ts'
import type { Words } from '../locales/en.ts'
import { queueText } from './queue.tsx'

/** `locale`: BCP 47. Empty where the notice says the same. */
export function statusText(chat: Chat, say: Words, locale: string): string {
  const handoff = chat.handoff.value
  const typing = chat.typing.value
  const answerer = chat.agent.value.live ? say.statusLive : say.statusReady
  switch (chat.status.value) {
    case 'connecting':
      return chat.notice.value ? '' : say.statusConnecting
    case 'reconnecting':
      return chat.notice.value ? '' : answerer
    case 'unavailable':
    case 'elsewhere':
      return chat.notice.value ? '' : say.statusOffline
    case 'offline':
      return say.statusOffline
    case 'ended':
    case 'expired':
      return say.statusEnded
    case 'idle':
    case 'live':
      if (handoff.state === 'pending') return queueText(say, locale, handoff)
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer
  }
}

/** Whether nothing is tried until the visitor acts. */
export const isGivenUp = (status: ChatStatus): boolean => status === 'unavailable' || status === 'elsewhere'
