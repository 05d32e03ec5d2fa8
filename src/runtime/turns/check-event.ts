// Checks what an agent yields, so that its author reads what is wrong with it.

import { isListOf, isObject, misspelt } from '../../api/index.ts'
import type { AgentEvent } from './agent.ts'

/** What a field has to be, and the words for one that is not. */
type Field = { is(value: unknown): boolean; not: string }

const isString = (value: unknown): boolean => typeof value === 'string'
const orNone = ({ is, not }: Field): Field => ({ is: (value) => value === undefined || is(value), not })
const orNull = ({ is, not }: Field): Field => orNone({ is: (value) => value === null || is(value), not })

const text: Field = { is: isString, not: 'is no text' }
const object: Field = { is: isObject, not: 'is no object' }
const flag: Field = { is: (value) => typeof value === 'boolean', not: 'is neither true nor false' }
const texts: Field = { is: isListOf(isString), not: 'are no list of texts' }
const objects: Field = { is: isListOf(isObject), not: 'are no list of objects' }
const oneOf = (...words: readonly string[]): Field => ({
  is: (value) => words.includes(value as string),
  not: `is none of ${words.join(', ')}`,
})
/** `names`: of the texts that each object has. */
const listWith = (...names: readonly string[]): Field => ({
  is: isListOf((value) => isObject(value) && names.every((name) => isString(value[name]))),
  not: `are no list of objects with ${names.join(' and ')}`,
})

const HANDOFF = {
  queueName: orNull(text),
  reason: orNull(text),
  destination: orNull(text),
  sharedId: orNull(text),
  data: orNull(object),
}
/** The fields of each event. */
const FIELDS: Readonly<Record<AgentEvent['type'], Readonly<Record<string, Field>>>> = {
  thinking: {},
  text: { text },
  finish: {
    attachments: orNone(listWith('content_type', 'content_url')),
    suggestions: orNone(listWith('message_text')),
    callActions: orNone(listWith('title', 'contact_number')),
    endConversation: orNull(flag),
  },
  confirm: { id: text, title: text, summary: text, confirm: text, cancel: text },
  language: { code: text },
  system: { level: oneOf('info', 'warning', 'error'), message: text },
  handoff: HANDOFF,
  'handoff-client': {
    ...HANDOFF,
    reason: oneOf('COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'),
    route: orNull(text),
  },
  understood: {
    intents: orNull(texts),
    entities: orNull(objects),
    outOfDomain: orNull(flag),
    translatedInput: orNull(text),
    englishResponse: orNull(text),
  },
  metric: { name: text, value: text },
  remember: { memory: object },
  end: {},
}
/** Characters of an unknown type that are repeated. */
const MOST_SHOWN = 50

/** Throws an Error that says what the agent did, and repeats nothing of what it says. */
export function checkEvent(event: unknown): asserts event is AgentEvent {
  if (!isObject(event))
    throw new Error(`it yielded ${event === null ? 'null' : `a ${typeof event}`}, ${NO_EVENT}`)
  const type = String(event.type)
  if (!isType(type)) throw new Error(`it yielded the type ${type.slice(0, MOST_SHOWN)}, ${NO_EVENT}`)
  const fields = FIELDS[type]
  const odd = misspelt(event, Object.keys(fields))
  if (odd !== undefined) throw new Error(`it yielded an event ${type} with ${odd}`)
  const wrong = Object.entries(fields).find(([name, { is }]) => !is(event[name]))
  if (wrong) throw new Error(`it yielded an event ${type} whose ${wrong[0]} ${wrong[1].not}`)
  // An empty message would choose a choice without words.
  if (type === 'confirm' && ['title', 'confirm', 'cancel'].some((name) => String(event[name]).trim() === ''))
    throw new Error('a confirm event needs a title and the words of both choices')
}

const NO_EVENT = 'which is no event of an agent'

const isType = (type: string): type is AgentEvent['type'] => Object.hasOwn(FIELDS, type)
