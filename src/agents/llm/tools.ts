// Defines the tools that the model can call: Foyer's own, and those of the integrator.

import type { AgentEvent, Turn } from '../../runtime/index.ts'
import type { Passage } from '../search/passages.ts'
import { NOTE } from './prompt.ts'

/** A tool of the integrator. */
export type LlmTool = {
  /** Tells the model what the tool does and when to use it. */
  description: string
  /** JSON Schema of the input; the model's input is checked against its `required` and `properties`. */
  input: Record<string, unknown>
  /** Resolves to any JSON value, which the model gets. A rejection reaches the model as a failure. */
  execute(input: Record<string, unknown>, context: ToolContext): Promise<unknown> | unknown
}

/** The turn that a tool is called for. `signal` aborts when the answer ends. */
export type ToolContext = { turn: Turn; signal: AbortSignal }

/** What the tools of one answer requested of the agent. */
export type Requested = {
  /** Yielded at once. */
  events: AgentEvent[]
  handoff?: Extract<AgentEvent, { type: 'handoff' }>
  end: boolean
}

const LONGEST_METRIC = 64

const text = (value: unknown, most = 500): string => (typeof value === 'string' ? value.slice(0, most) : '')

type Own = {
  requested: Requested
  handsOff: boolean
  /** Searches passages, which from then on count as sources. */
  search(query: string): Promise<readonly Passage[]>
  print(passages: readonly Passage[]): string
}

/** Foyer's own tools for one answer. */
export function ownTools({ requested, handsOff, search, print }: Own): Record<string, LlmTool> {
  const tools: Record<string, LlmTool> = {
    search: {
      description: 'Searches the folder of documents. Use it when the sources do not answer.',
      input: object({ query: { type: 'string', description: 'What to look for, in a few words' } }),
      execute: async ({ query }) => print(await search(text(query, 300))),
    },
    end_conversation: {
      description:
        'Ends the conversation after this answer. Only when the visitor says goodbye or asks for it.',
      input: object({}),
      execute: () => {
        requested.end = true
        return 'The conversation ends after this answer.'
      },
    },
    remember: {
      description: 'Remembers a fact about this conversation for later turns, such as an order number.',
      input: object({ name: { type: 'string' }, value: { type: 'string' } }),
      execute: ({ name, value }) => {
        const key = text(name, LONGEST_METRIC)
        if (key) requested.events.push({ type: 'remember', memory: { [`${NOTE}${key}`]: text(value) } })
        return 'Remembered.'
      },
    },
    metric: {
      description: 'Writes a metric of this conversation for the operator, such as its topic.',
      input: object({ name: { type: 'string' }, value: { type: 'string' } }),
      execute: ({ name, value }) => {
        const key = text(name, LONGEST_METRIC)
        if (key) requested.events.push({ type: 'metric', name: key, value: text(value) })
        return 'Written.'
      },
    },
    set_language: {
      description: 'Switches the language of the chat window, as a tag such as de.',
      input: object({ code: { type: 'string' } }),
      execute: ({ code }) => {
        if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text(code, 35))) return 'Not a language tag.'
        requested.events.push({ type: 'language', code: text(code, 35) })
        return 'Switched.'
      },
    },
  }
  if (handsOff)
    tools.hand_off = {
      description: 'Hands the conversation to a person, who sees the reason and the data.',
      input: object({ reason: { type: 'string' }, data: { type: 'object' } }, ['reason']),
      execute: ({ reason, data }) => {
        requested.handoff = {
          type: 'handoff',
          queueName: 'front desk',
          reason: text(reason),
          ...(typeof data === 'object' && data !== null && { data: data as Record<string, unknown> }),
        }
        return 'A person will take over after this answer. Tell the visitor so in one sentence.'
      },
    }
  return tools
}

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** The input if it is an object with all required properties, each of the right type; else undefined. */
export function checkedInput(
  schema: Record<string, unknown>,
  input: unknown,
): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const given = input as Record<string, unknown>
  const required = Array.isArray(schema.required) ? schema.required : []
  if (required.some((name) => !Object.hasOwn(given, String(name)))) return undefined
  const properties = (schema.properties ?? {}) as Record<string, { type?: unknown } | undefined>
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    if (typeof type === 'string' && !isOfType(value, type)) return undefined
  }
  return given
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return ['string', 'number', 'boolean'].includes(type) ? typeof value === type : true
}
