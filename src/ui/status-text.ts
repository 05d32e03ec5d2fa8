// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline.

import type { Chat, Handoff } from '../chat/index.ts'
import type { CoreWords } from './locales/en-core.ts'

export function statusText(chat: Chat, say: CoreWords, locale: string): string {
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
      if (handoff.state === 'pending') return queueLine(say, locale, handoff)
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer(chat, say)
  }
}

const answerer = (chat: Chat, say: CoreWords): string =>
  chat.agent.value.live ? say.statusLive : say.statusReady

function queueLine(say: CoreWords, locale: string, handoff: Extract<Handoff, { state: 'pending' }>): string {
  if (handoff.message) return handoff.message
  if (handoff.position === undefined) return say.statusHandoff
  const wait = handoff.waitSeconds
  const minutes = wait === undefined ? undefined : Math.max(1, Math.round(wait / 60))
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'short' } as const
  const about = minutes === undefined ? undefined : new Intl.NumberFormat(locale, unit).format(minutes)
  return say.statusQueue(new Intl.NumberFormat(locale).format(handoff.position), about)
}
