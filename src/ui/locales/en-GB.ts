// The words of the panel in British English, over English.

import type { Words } from './en.ts'

export const words: Partial<Words> = {
  statusLive: 'You’re speaking to a person',
  disclosure: 'You’re speaking to an AI assistant.',
  keepChatting: 'Carry on chatting',
  handoffFailed: 'Nobody is available to take over. You can carry on here.',
  handoffClient: 'The conversation carries on outside this chat',
  queueLeft: 'You left the queue. You can carry on here.',
}
