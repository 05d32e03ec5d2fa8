// Keeps the state of the desk's page, and sends the live agent's actions. Reads the queue and the open conversation again
// after each change that the stream reports.

import { computed, effect, signal } from '@preact/signals'
import type { DeskAgent, DeskEntry, DeskLine } from '../../src/runtime/index.ts'
import { listen, newest, Refusal, read, write } from '../live.ts'
import { words } from '../words.ts'
import { createReplies } from './replies.ts'
import { createRing } from './ring.ts'
import { createTyping } from './typing.ts'

export type Person = { id: string; name: string }
/** The relation of a conversation to the live agent at this desk. */
export type Standing = 'waiting' | 'mine' | 'others' | 'over'
/** The kind of draft: for the visitor, or a note for other live agents. */
export type Writing = 'answer' | 'note'
/** A form that is open above the conversation. */
export type Act = 'transfer' | 'leave' | 'end'
/** The texts that this person has written and not sent, by conversation and kind. */
export type Drafts = Readonly<Record<string, string>>

const READ_AGAIN_MS = 120
/** Most conversations that the endpoint follows at once. */
const MOST_FOLLOWED = 20

export type DeskState = ReturnType<typeof createDeskState>

/** `kept`: the drafts of before a reload. */
export function createDeskState(first: Person, kept: Drafts = {}) {
  const person = signal(first)
  /** Undefined: not read yet. */
  const entries = signal<readonly DeskEntry[] | undefined>(undefined)
  /** The live agents who were ever at the desk. */
  const agents = signal<readonly DeskAgent[]>([])
  const chosen = signal<string | undefined>(undefined)
  const lines = signal<readonly DeskLine[] | undefined>(undefined)
  const writing = signal<Writing>('answer')
  const act = signal<Act | undefined>(undefined)
  const drafts = signal(kept)
  const unread = signal<Readonly<Record<string, number>>>({})
  /** Why conversations left the desk. */
  const endings = signal<Readonly<Record<string, string>>>({})
  const connected = signal(true)
  const trouble = signal<string | undefined>(undefined)
  /** The last state of open conversations that have left the desk. */
  const known = new Map<string, DeskEntry>()
  let readSoon: ReturnType<typeof setTimeout> | undefined

  /** Messages of visitors who talk to others at the desk do not count as unread here. */
  const isForMe = (entry: DeskEntry): boolean => standingOf(entry) !== 'others'
  const standingOf = ({ state, agent }: DeskEntry): Standing => {
    if (state === 'waiting') return 'waiting'
    return agent?.id === person.value.id ? 'mine' : 'others'
  }
  const talk = computed((): { entry: DeskEntry; standing: Standing } | undefined => {
    const id = chosen.value
    const entry = entries.value?.find((each) => each.id === id)
    if (entry) return { entry, standing: standingOf(entry) }
    const last = id === undefined ? undefined : known.get(id)
    return last && { entry: last, standing: 'over' }
  })
  /** In the order of the page: one's own, those who wait, those with others. */
  const ordered = computed((): DeskEntry[] => {
    const of = (standing: Standing) => (entries.value ?? []).filter((entry) => standingOf(entry) === standing)
    const waiting = of('waiting')
    return [
      ...of('mine'),
      ...waiting.filter(isHere),
      ...waiting.filter((entry) => !isHere(entry)),
      ...of('others'),
    ]
  })
  const followed = computed(() => {
    const ids = [...(chosen.value ? [chosen.value] : []), ...ordered.value.map(({ id }) => id)]
    return [...new Set(ids)].slice(0, MOST_FOLLOWED).sort().join(' ')
  })
  /** The number of unread messages and waiting visitors. */
  const attention = computed(
    () =>
      Object.values(unread.value).reduce((sum, count) => sum + count, 0) +
      (entries.value ?? []).filter(({ state }) => state === 'waiting').length,
  )

  const away = computed(() =>
    agents.value.some(({ id, state }) => id === person.value.id && state === 'away'),
  )
  const ring = createRing()
  /** Rings where somebody begins to wait whom this live agent could take. */
  function ringFor(before: readonly DeskEntry[] | undefined, found: readonly DeskEntry[]): void {
    const known = new Set(before?.flatMap(({ id, state }) => (state === 'waiting' ? [id] : [])))
    const isNew = found.some((entry) => entry.state === 'waiting' && isHere(entry) && !known.has(entry.id))
    if (before && isNew && !away.peek()) ring()
  }

  const keepEntries = newest<DeskEntry[]>((found) => {
    for (const entry of found) known.set(entry.id, entry)
    ringFor(entries.peek(), found)
    entries.value = found
    // Conversations that left the desk have no unread messages, and leave nothing behind once they are closed.
    const ids = new Set(found.map(({ id }) => id))
    const only = <T>(all: Readonly<Record<string, T>>, keys: Iterable<string>) => {
      const kept = new Set(keys)
      return Object.fromEntries(Object.entries(all).filter(([key]) => kept.has(key)))
    }
    unread.value = only(
      unread.peek(),
      found.filter(isForMe).map(({ id }) => id),
    )
    const open = chosen.peek()
    if (open !== undefined) ids.add(open)
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    endings.value = only(endings.peek(), ids)
    drafts.value = only(
      drafts.peek(),
      [...ids].flatMap((id) => [keyOf(id, 'answer'), keyOf(id, 'note')]),
    )
  })
  const keepLines = newest<{ id: string; found: DeskLine[] }>(({ id, found }) => {
    if (chosen.peek() === id) lines.value = found
  })
  const fail = (error: unknown) => {
    trouble.value = error instanceof Refusal ? error.message : words.live.refused
  }
  /** Without a connection the stream shows it, and everything is read again once it is back. */
  const failReading = (error: unknown) => {
    if (!(error instanceof Refusal && error.status === 0)) fail(error)
  }
  const keepAgents = newest<DeskAgent[]>((found) => {
    agents.value = found
  })
  const readEntries = () =>
    Promise.all([keepEntries(read<DeskEntry[]>('desk')), keepAgents(read<DeskAgent[]>('desk/agents'))]).catch(
      failReading,
    )
  /** Tells the server that the live agent has this page open. Without `away` the live agent stays as available as before. */
  const beat = (away?: boolean) => write('desk/beat', away === undefined ? {} : { away }).catch(failReading)
  const replies = createReplies(failReading)
  const linesOf = async (id: string) => ({ id, found: await read<DeskLine[]>(pathOf(id)) })
  async function readLines(): Promise<void> {
    const id = chosen.peek()
    if (id !== undefined) await keepLines(linesOf(id)).catch(failReading)
  }
  /** Several things often happen at once. */
  function readEntriesSoon(): void {
    readSoon ??= setTimeout(() => {
      readSoon = undefined
      void readEntries()
    }, READ_AGAIN_MS)
  }

  const isLookedAt = (id: string) => id === chosen.peek() && document.hasFocus()
  function look(): void {
    const id = chosen.peek()
    if (id === undefined || !(id in unread.peek())) return
    const { [id]: _, ...others } = unread.peek()
    unread.value = others
  }

  function happened(data: unknown): void {
    const { id, type } = data as { id: string; type: string }
    const ending = ENDINGS[type]
    if (ending) endings.value = { ...endings.peek(), [id]: ending }
    if (type === 'EVENT_TYPE_USER_MESSAGE') typing.visitorTypes(id, false)
    if (id === chosen.peek()) void readLines()
    const entry = entries.peek()?.find((each) => each.id === id)
    if (type === 'EVENT_TYPE_USER_MESSAGE' && entry && isForMe(entry) && !isLookedAt(id))
      unread.value = { ...unread.peek(), [id]: (unread.peek()[id] ?? 0) + 1 }
    readEntriesSoon()
  }

  async function ask(
    id: string,
    name: string,
    body: object,
  ): Promise<'done' | 'taken by another' | 'refused'> {
    try {
      await write(`${pathOf(id)}/${name}`, body)
      trouble.value = undefined
      return 'done'
    } catch (error) {
      const gone = error instanceof Refusal && error.status === 409
      if (!gone) fail(error)
      else trouble.value = name === 'take' ? words.desk.notTaken : words.desk.notYours
      return gone ? 'taken by another' : 'refused'
    } finally {
      void readEntries()
    }
  }
  const take = (id: string) => ask(id, 'take', {})

  const typing = createTyping((id, typing) => void write(`${pathOf(id)}/type`, { typing }).catch(() => {}))
  function keep(key: string, text: string): void {
    drafts.value = { ...drafts.peek(), [key]: text }
  }
  const draftOf = (id: string, to: Writing): string => drafts.value[keyOf(id, to)] ?? ''
  const noted = (note: string) => (note.trim() === '' ? {} : { note: note.trim() })

  function choose(id: string | undefined): void {
    typing.rest()
    trouble.value = undefined
    act.value = undefined
    chosen.value = id
    lines.value = undefined
    if (id === undefined) return
    look()
    void readLines()
  }

  /** Goes on with the draft of a note where there is no draft of an answer: otherwise the rest of the note would go to the visitor. */
  function resume(id: string): void {
    writing.value = draftOf(id, 'answer') === '' && draftOf(id, 'note') !== '' ? 'note' : 'answer'
  }

  return {
    person,
    agents,
    away,
    entries,
    ordered,
    chosen,
    lines,
    replies,
    writing,
    act,
    drafts,
    unread,
    typingVisitors: typing.visitors,
    endings,
    connected,
    trouble,
    talk,
    attention,
    standingOf,
    choose,
    resume,

    /** The conversation `step` places further down the page, from its ends around. */
    step(step: 1 | -1): void {
      const all = ordered.peek()
      if (all.length === 0) return
      const at = all.findIndex(({ id }) => id === chosen.peek())
      const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length
      choose(all[next]?.id)
    },
    /** Takes the open conversation, or of those whose visitors are here the one that waits longest. Where another was quicker: the next. */
    async takeNext(): Promise<void> {
      const open = talk.peek()
      const inTurn = open?.standing === 'waiting' ? [open.entry] : []
      const others = ordered.peek().filter((each) => each.state === 'waiting' && isHere(each))
      for (const { id } of [...inTurn, ...others]) {
        if (id !== chosen.peek()) choose(id)
        const outcome = await take(id)
        if (outcome !== 'taken by another') return
      }
    },
    take: async (id: string) => (await take(id)) === 'done',
    /** Turns to away, or back. */
    setAway: beat,
    async transfer(id: string, queue: string, note: string): Promise<void> {
      if ((await ask(id, 'transfer', { queue, ...noted(note) })) === 'done') act.value = undefined
    },
    async leave(id: string, end: boolean, note: string): Promise<void> {
      if ((await ask(id, 'leave', { end, ...noted(note) })) !== 'done') return
      act.value = undefined
      endings.value = { ...endings.peek(), [id]: end ? words.desk.overEnded : words.desk.overLeft }
    },

    draftOf,
    /** Keeps what is written so far, and lets the visitor see that an answer is. */
    draft(id: string, to: Writing, text: string): void {
      keep(keyOf(id, to), text)
      if (to === 'note') return
      // A draft that begins with a slash searches the canned replies.
      if (text.trim() === '' || text.startsWith('/')) return typing.rest()
      typing.types(id)
    },
    async send(id: string, to: Writing, text: string): Promise<void> {
      const key = keyOf(id, to)
      // The answer itself says that nobody types any more.
      typing.rest(false)
      keep(key, '')
      if ((await ask(id, to, { text })) === 'done') await readLines()
      // Before what was typed since: nothing that was written is lost.
      else keep(key, [text, drafts.peek()[key]].filter(Boolean).join('\n'))
    },

    /** Listens until undone. */
    begin() {
      addEventListener('focus', look)
      void replies.read()
      const undo = effect(() => {
        const query = new URLSearchParams(
          followed.value.split(' ').flatMap((id) => (id === '' ? [] : [['follow', id]])),
        )
        return listen(`desk/events?${query}`, {
          open() {
            // Errors from the time without a connection are obsolete.
            trouble.value = undefined
            void beat()
            void readEntries()
            void readLines()
          },
          live: (live) => {
            connected.value = live
          },
          on: {
            beat: () => void beat(),
            queue: readEntriesSoon,
            line: happened,
            typing(data) {
              const visitor = data as { id: string; typing: boolean }
              typing.visitorTypes(visitor.id, visitor.typing)
            },
          },
        })
      })
      return () => {
        undo()
        removeEventListener('focus', look)
        clearTimeout(readSoon)
        typing.stop()
      }
    },
  }
}

/** A phone has no presence. */
const isHere = ({ presence }: DeskEntry): boolean => presence !== 'gone'
const pathOf = (id: string): string => `desk/${encodeURIComponent(id)}`
const keyOf = (id: string, to: Writing): string => `${to} ${id}`

const ENDINGS: Readonly<Record<string, string>> = {
  EVENT_TYPE_SESSION_END: words.desk.overEnded,
  EVENT_TYPE_HANDOFF_TIMEOUT: words.desk.overTimeout,
  EVENT_TYPE_HANDOFF_FAILED: words.desk.overWithdrawn,
}
