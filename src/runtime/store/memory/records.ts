import type { ConversationRow, Filter, SearchPage } from '../filter.ts'
import { dictionaryOf } from '../language.ts'
import type { NewConversation, Recorder } from '../recorder.ts'
import type { Records } from '../records.ts'
import type { NewSession } from '../sessions.ts'
import { MOST_COMPARED, TooManyToCompare } from '../vectors.ts'
import type { Locks } from './locks.ts'
import { type Conversation, compare, type Draft, erase, json, type Tables, type Turn } from './tables.ts'
import { type Asked, holds, rank, readAgain, readQuery, readText } from './words.ts'

const MOST_ERASED = 1_000

/** As it is before anything is written to it. */
export function newConversation(given: NewConversation, session: NewSession, now: Date): Conversation {
  const { id, accountId, projectId, environment, channel, variant, language = '' } = given
  const { connector_id, token_id, platform, streaming } = session
  return {
    record: {
      ...{ id, account_id: accountId, project_id: projectId, environment, channel, language },
      variant_id: variant?.id ?? '',
      variant_name: variant?.name ?? '',
      from_number: given.fromNumber ?? '',
      to_number: given.toNumber ?? '',
      started_at: new Date(now),
      ended_at: null,
      num_turns: 0,
      num_silences: 0,
      num_ood: 0,
      latency_sum: 0,
      latency_count: 0,
      handoff: false,
      handoff_reason: '',
      handoff_destination: '',
      agent_left_at: null,
      metrics: {},
      state: {},
    },
    dictionary: dictionaryOf(language),
    session: {
      ...{ id, channel, connector_id, token_id, platform, streaming },
      state: 'active',
      mode: 'agent',
      created_at: new Date(now),
      active_at: new Date(now),
      over_at: null,
      warned: false,
      warned_at: null,
      joined: false,
      next_sequence: 1,
      answered: 0,
      turn_owner: null,
      turn_cause: null,
      turn_shown: false,
      memory: {},
      live_agent: null,
      user_number: session.user_number ?? '',
      agent_number: session.agent_number ?? '',
      rcs_sender: session.rcs_sender ?? '',
      engaged: false,
      attributes: {},
    },
    events: [],
    turns: [],
    said: [],
    handoff: undefined,
  }
}

export function createMemoryRecorder(draft: Draft): Recorder {
  const change = (changes: Partial<ConversationRow>) => {
    draft.record = { ...draft.record, ...changes }
  }
  const changeTurn = (position: number, changes: Partial<Turn>) => {
    draft.turns = draft.turns.map((turn) => (turn.position === position ? { ...turn, ...changes } : turn))
  }
  const index = (text: string, side: 'user' | 'agent') => {
    if (text.trim() !== '') draft.said = [...draft.said, { ...readText(text, draft.dictionary), side }]
  }

  const recorder: Recorder = {
    async beginTurn({ cause, input, dtmf = '', silence = false, at }) {
      const { id, num_turns, num_silences } = draft.record
      const turn: Turn = {
        ...{ conversation_id: id, position: num_turns + 1, cause, user_input: input, user_input_dtmf: dtmf },
        user_input_at: new Date(at),
        agent_response: '',
        agent_response_at: null,
        latency: 0,
        translated_user_input: '',
        english_agent_response: '',
        intents: [],
        entities: [],
        is_ood: false,
        is_silence: silence,
      }
      change({ num_turns: num_turns + 1, num_silences: num_silences + (silence ? 1 : 0) })
      draft.turns = [...draft.turns, turn]
      index(input, 'user')
    },
    async respond(text, at, by) {
      const turn = draft.turns.findLast(({ cause }) => !by.agent || cause === by.cause)
      if (!turn) {
        await recorder.beginTurn({ cause: by.agent ? by.cause : 0, input: '', at })
        return recorder.respond(text, at, by)
      }
      const first = by.agent && turn.agent_response_at === null
      const latency = Math.max(0, (at.getTime() - turn.user_input_at.getTime()) / 1000)
      changeTurn(turn.position, {
        agent_response: turn.agent_response === '' ? text : `${turn.agent_response}\n\n${text}`,
        agent_response_at: turn.agent_response_at ?? new Date(at),
        ...(first && { latency }),
      })
      const { latency_sum, latency_count } = draft.record
      if (first) change({ latency_sum: latency_sum + latency, latency_count: latency_count + 1 })
      index(text, 'agent')
    },
    async understand({ intents, entities, outOfDomain = false, translatedInput, englishResponse }, cause) {
      const answered = draft.turns.filter((turn) => turn.cause === cause)
      if (outOfDomain && answered.some(({ is_ood }) => !is_ood)) change({ num_ood: draft.record.num_ood + 1 })
      for (const turn of answered)
        changeTurn(turn.position, {
          intents: [...turn.intents, ...(intents ?? [])],
          entities: [...turn.entities, ...json(entities ?? [])],
          is_ood: turn.is_ood || outOfDomain,
          translated_user_input: translatedInput ?? turn.translated_user_input,
          english_agent_response: englishResponse ?? turn.english_agent_response,
        })
    },
    async metric(name, value) {
      const { metrics } = draft.record
      const former = Object.hasOwn(metrics, name) ? metrics[name] : undefined
      change({ metrics: { ...metrics, [name]: former === undefined ? value : [former, value].flat() } })
    },
    state: async (state) => change({ state: { ...draft.record.state, ...json(state) } }),
    handoff: async (reason, destination) =>
      change({ handoff: true, handoff_reason: reason, handoff_destination: destination }),
    agentLeft: async (at) => change({ agent_left_at: draft.record.agent_left_at ?? new Date(at) }),
    async language(code) {
      change({ language: code })
      const dictionary = dictionaryOf(code)
      if (dictionary === draft.dictionary) return
      draft.dictionary = dictionary
      draft.said = draft.said.map((one) => ({ ...one, ...readAgain(one, dictionary) }))
    },
    channel: async (channel) => change({ channel }),
    end: async (at) => {
      const { started_at, ended_at } = draft.record
      change({ ended_at: ended_at ?? (at < started_at ? started_at : new Date(at)) })
    },
  }
  return recorder
}

export function createMemoryRecords(tables: Tables, locks: Locks, uuid: () => string): Records {
  const { conversations, calls, consents, vectors } = tables

  const all = () => [...conversations.values()]
  /** Those that match, newest first. */
  const matching = (filter: Filter, asOf?: Date): Conversation[] =>
    all()
      .filter(({ record }) => matches(record, filter) && (asOf === undefined || record.started_at <= asOf))
      .sort((a, b) => newestFirst(a.record, b.record))
  const pageOf = (found: readonly Conversation[], limit: number, offset: number) =>
    structuredClone(found.slice(offset, offset + limit).map(({ record }) => record))
  /** A page of what has a score, the highest first, and the newest of those that have the same. */
  const best = (
    scored: readonly { conversation: Conversation; score: number }[],
    { limit, offset }: SearchPage,
  ) =>
    pageOf(
      [...scored].sort((a, b) => b.score - a.score).map(({ conversation }) => conversation),
      limit,
      offset,
    )

  function eraseAll(found: readonly ConversationRow[]): Promise<number> {
    const ids = found.map(({ id }) => id)
    return locks.allAlone(ids, async () => ids.filter((id) => erase(tables, id)).length)
  }

  return {
    async page(filter, { limit, after, offset = 0 }) {
      const place = after && { started_at: after.startedAt, id: after.id }
      const found = matching(filter).filter(({ record }) => !place || newestFirst(record, place) > 0)
      return pageOf(found, limit, offset)
    },

    async search(filter, { text, side }, page) {
      const inDictionary = new Map<string, Asked>()
      const scored = matching(filter, page.asOf).flatMap((conversation) => {
        const { dictionary } = conversation
        const asked = inDictionary.get(dictionary) ?? readQuery(text, dictionary)
        inDictionary.set(dictionary, asked)
        const said = conversation.said.filter((one) => side === undefined || one.side === side)
        return holds(asked, said) ? [{ conversation, score: rank(asked, said) }] : []
      })
      return best(scored, page)
    },

    async nearest(filter, { model, vector }, page) {
      const found = matching(filter, page.asOf)
      if (found.length > MOST_COMPARED) throw new TooManyToCompare()
      const scored = found.flatMap((conversation) => {
        const known = vectors.get(conversation.record.id)
        if (known?.model !== model || known.numbers.length === 0) return []
        // Vectors have length 1, so the product is the cosine.
        const score = known.numbers.reduce((sum, number, index) => sum + number * (vector[index] ?? 0), 0)
        return [{ conversation, score }]
      })
      return best(scored, page)
    },

    async sample(filter, limit) {
      const drawn = matching(filter).map((conversation) => ({ conversation, lot: uuid() }))
      const byLot = drawn.sort((a, b) => compare([a.lot, b.lot])).map(({ conversation }) => conversation)
      return pageOf(byLot, limit, 0)
    },

    async turns(ids) {
      const sorted = [...new Set(ids)].sort((a, b) => compare([a, b]))
      return structuredClone(sorted.flatMap((id) => conversations.get(id)?.turns ?? []))
    },

    async spans(filter, from, to) {
      return matching(filter)
        .map(({ record }) => ({
          start: record.started_at.getTime(),
          end: record.ended_at?.getTime(),
          variantId: record.variant_id,
          variantName: record.variant_name,
        }))
        .filter(({ start, end }) => {
          const ends = end ?? Number.POSITIVE_INFINITY
          return from < to && start < to.getTime() && ends >= from.getTime()
        })
        .sort((a, b) => compare([a.variantId, b.variantId], [a.variantName, b.variantName]))
    },

    find: async (id) => structuredClone(conversations.get(id)?.record),

    erase: (id) => locks.alone(id, async () => erase(tables, id)),

    async eraseNumber(number) {
      const own = all().map(({ record }) => record)
      const erased = await eraseAll(
        own.filter(({ from_number, to_number }) => from_number === number || to_number === number),
      )
      for (const { sid, to_number } of calls.values()) if (to_number === number) calls.delete(sid)
      for (const [pair, { userNumber }] of consents) if (userNumber === number) consents.delete(pair)
      return erased
    },

    async eraseEndedBefore(time) {
      const over = all()
        .map(({ record }) => record)
        .filter(({ ended_at }) => ended_at !== null && ended_at < time)
        .sort((a, b) => compare([a.ended_at, b.ended_at]))
      return eraseAll(over.slice(0, MOST_ERASED))
    },

    async unembedded(quietSince, limit) {
      return all()
        .filter(({ record, turns }) => {
          const quiet = turns.every(
            ({ user_input_at, agent_response_at }) =>
              user_input_at <= quietSince && (agent_response_at ?? user_input_at) <= quietSince,
          )
          const due = (vectors.get(record.id)?.length ?? 0) < lengthOf(turns)
          return due && (quiet || record.ended_at !== null)
        })
        .sort((a, b) => compare([a.record.started_at, b.record.started_at]))
        .slice(0, limit)
        .map(({ record, turns }) => ({ id: record.id, text: wordsOf(turns) }))
    },
    async saveVector(id, model, numbers, text) {
      const former = vectors.get(id)
      const kept =
        numbers.length === 0 && former?.model === model ? former.numbers : Float32Array.from(numbers)
      // Words are only ever added: by how many there are it knows whether there are more.
      if (conversations.has(id)) vectors.set(id, { model, numbers: kept, length: text.length })
    },
    async useModel(model) {
      for (const [id, known] of vectors) if (known.model !== model) vectors.delete(id)
    },
    hasVectorIndex: () => false,
  }
}

const wordsOf = (turns: readonly Turn[]): string =>
  turns.map((turn) => `${turn.user_input} ${turn.agent_response}`).join(' ')

/** Of its words, without making them. */
const lengthOf = (turns: readonly Turn[]): number =>
  turns.reduce((sum, turn) => sum + turn.user_input.length + turn.agent_response.length + 2, -1)

const newestFirst = (
  a: Pick<ConversationRow, 'started_at' | 'id'>,
  b: Pick<ConversationRow, 'started_at' | 'id'>,
): number => compare([b.started_at, a.started_at], [a.id, b.id])

function matches(record: ConversationRow, filter: Filter): boolean {
  const { from, to, channels = [], phoneNumber, inProgress } = filter
  const is = (asked: string | undefined, value: string) => asked === undefined || asked === value
  return (
    record.project_id === filter.projectId &&
    record.environment === filter.environment &&
    (!from || record.started_at >= from) &&
    (!to || record.started_at <= to) &&
    (channels.length === 0 || channels.includes(record.channel)) &&
    is(filter.variantId, record.variant_id) &&
    is(filter.variantName, record.variant_name) &&
    is(filter.language, record.language) &&
    (phoneNumber === undefined || record.from_number === phoneNumber || record.to_number === phoneNumber) &&
    (inProgress === undefined || (record.ended_at === null) === inProgress)
  )
}
