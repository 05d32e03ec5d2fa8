// Holds the simulated carrier's replies to stop, start and help. A real carrier has its own.

import type { Keyword } from '../runtime/index.ts'

export const infoMessages: Readonly<Record<Keyword, string>> = {
  STOP: 'You will get no more messages from this number. Reply START to get them again.',
  START: 'You will get messages from this number again. Reply STOP to stop them.',
  HELP: 'Reply STOP to get no more messages, START to get them again.',
}
