// Chooses the line below the agent's name. It never claims that somebody answers while the notice says that the chat is offline.

import type { Chat } from '../../chat/index.ts'
import type { Words } from '../locales/en.ts'

/** `automatic`: an agent without a model answers. Empty where the notice says the same, and before there is a connection. */
export function statusText(chat: Chat, say: Words, automatic: boolean): string {
  const typing = chat.typing.value
  const agent = automatic ? say.statusAutomatic : say.statusReady
  const answerer = chat.agent.value.live ? say.statusLive : agent
  switch (chat.status.value) {
    case 'connecting':
      return chat.notice.value ? '' : say.statusConnecting
    case 'reconnecting':
      return chat.notice.value ? '' : answerer
    case 'unavailable':
      return chat.notice.value ? '' : say.statusOffline
    case 'offline':
      return say.statusOffline
    case 'ended':
    case 'expired':
      return say.statusEnded
    case 'idle':
      return ''
    case 'live':
      if (chat.handoff.value.state === 'pending') return ''
      if (typing) return typing.role === 'agent' ? say.statusThinking : say.statusTyping
      return answerer
  }
}
