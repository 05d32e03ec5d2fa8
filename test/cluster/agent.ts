// The agent of a cluster under test: says each message back at once, and every fifth in two pieces. It hands over who asks for a person.

import type { Agent } from '../../src/runtime/index.ts'
import { answerTo } from './verdict.ts'

const PAUSE_MS = 500
export const ASKS_FOR_PERSON = 'person'
const isSlow = (text: string): boolean => /[05]$/.test(text)

export const echo: Agent = {
  name: 'Echo',
  async *act(turn) {
    if (turn.trigger === 'join') return
    if (turn.text === ASKS_FOR_PERSON) return yield { type: 'handoff', queueName: 'support' }
    if (!isSlow(turn.text)) return yield { type: 'text', text: answerTo(turn.text) }
    const [first = '', ...rest] = answerTo(turn.text).split(/(?<= )/)
    yield { type: 'text', text: first }
    await turn.sleep(PAUSE_MS)
    yield { type: 'text', text: rest.join('') }
  },
}
