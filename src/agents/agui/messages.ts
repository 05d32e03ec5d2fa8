// Writes the messages of a run: passes their text through the link gate, and completes each before what comes next.

import type { AgentEvent } from '../../runtime/index.ts'
import type { LinkGate } from '../llm/link-gate.ts'
import { AguiError } from './agui-error.ts'

const MOST_TEXT = 200_000
const MOST_MESSAGES = 20

export interface Messages {
  /** Whether a message has text and is not complete. */
  readonly isOpen: boolean
  /** The agent's identifiers of the messages that were shown. */
  readonly ids: readonly string[]
  write(id: string, piece: string): Iterable<AgentEvent>
  /** The agent has said all of this message. It stays open, since its suggestions may follow. */
  end(id: string): void
  suggest(texts: readonly string[]): void
  /** Completes the message that is open, or a message that is `more` alone. */
  complete(more?: string, ending?: { endConversation?: boolean }): Iterable<AgentEvent>
}

export function createMessages(createGate: () => LinkGate): Messages {
  let gate = createGate()
  let open: string | undefined
  let hasEnded = false
  let written = 0
  let suggestions: readonly string[] = []
  const ids: string[] = []

  function* complete(more = '', ending = {}): Iterable<AgentEvent> {
    const text = gate.rest() + more
    if (text !== '') yield { type: 'text', text }
    const offered = suggestions.map((message_text) => ({ message_text }))
    suggestions = []
    open = undefined
    hasEnded = false
    gate = createGate()
    yield { type: 'finish', ...ending, ...(offered.length > 0 && { suggestions: offered }) }
  }

  return {
    get isOpen() {
      return open !== undefined
    },
    ids,
    *write(id, piece) {
      if (piece === '') return
      written += piece.length
      if (written > MOST_TEXT) throw new AguiError('excess', 'the agent wrote too much')
      if (open !== undefined && (hasEnded || id !== open)) yield* complete()
      if (open === undefined) {
        if (ids.length === MOST_MESSAGES) throw new AguiError('excess', 'it sent too many messages')
        open = id
        ids.push(id)
      }
      const text = gate.push(piece)
      if (text !== '') yield { type: 'text', text }
    },
    end(id) {
      hasEnded ||= id === open
    },
    suggest(texts) {
      suggestions = texts
    },
    complete,
  }
}
