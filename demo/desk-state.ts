// Keeps the state of the desk's page, and sends the live agent's actions. Reads the queue and the open conversation again
// after each change that the stream reports.

import { computed, effect, signal } from '@preact/signals'
import type { DeskEntry, DeskLine } from '../src/runtime/index.ts'
import { listen, newest, Refusal, read, write } from './live.ts'
import { words } from './words.ts'

export type Person = { id: string; name: string }
/** The relation of a conversation to the live agent at this desk. */
export type Standing = 'waiting' | 'mine' | 'others' | 'over'

const TYPING_EVERY_MS = 3_000
const TYPING_REST_MS = 5_000

export type DeskState = ReturnType<typeof createDeskState>

export function createDeskState(first: Person) {
  const person = signal(first)
  /** Undefined: not read yet. */
  const entries = signal<readonly DeskEntry[] | undefined>(undefined)
  const chosen = signal<string | undefined>(undefined)
  const lines = signal<readonly DeskLine[] | undefined>(undefined)
  const drafts = signal<Readonly<Record<string, string>>>({})
  const unread = signal<Readonly<Record<string, number>>>({})
  /** Why conversations left the desk. */
  const endings = signal<Readonly<Record<string, string>>>({})
  const connected = signal(true)
  const trouble = signal<string | undefined>(undefined)
  /** The last state of open conversations that have left the desk. */
  const known = new Map<string, DeskEntry>()
  let typing: { id: string; toldAt: number; rest: ReturnType<typeof setTimeout> } | undefined

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
  const followed = computed(() => {
    const mine = (entries.value ?? []).filter((entry) => standingOf(entry) === 'mine').map(({ id }) => id)
    return [...new Set([...(chosen.value ? [chosen.value] : []), ...mine])].sort().join(' ')
  })

  const keepEntries = newest<DeskEntry[]>((found) => {
    for (const entry of found) known.set(entry.id, entry)
    entries.value = found
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
  const readEntries = () => keepEntries(read<DeskEntry[]>('desk')).catch(failReading)
  const linesOf = async (id: string) => ({ id, found: await read<DeskLine[]>(pathOf(id)) })
  async function readLines(): Promise<void> {
    const id = chosen.peek()
    if (id !== undefined) await keepLines(linesOf(id)).catch(failReading)
  }

  function happened(data: unknown): void {
    const { id, type } = data as { id: string; type: string }
    const ending = ENDINGS[type]
    if (ending) endings.value = { ...endings.peek(), [id]: ending }
    if (id === chosen.peek()) void readLines()
    else if (type === 'EVENT_TYPE_USER_MESSAGE')
      unread.value = { ...unread.peek(), [id]: (unread.peek()[id] ?? 0) + 1 }
  }

  /** True if the endpoint did it. */
  async function act(id: string, name: string, body: object): Promise<boolean> {
    try {
      await write(`${pathOf(id)}/${name}`, body)
      trouble.value = undefined
      return true
    } catch (error) {
      const gone = error instanceof Refusal && error.status === 409
      if (!gone) fail(error)
      else trouble.value = name === 'take' ? words.desk.notTaken : words.desk.notYours
      return false
    } finally {
      void readEntries()
    }
  }

  const agentId = () => person.peek().id
  const tellTyping = (id: string, typing: boolean) =>
    void write(`${pathOf(id)}/type`, { agentId: agentId(), typing }).catch(() => {})

  function rest(told = true): void {
    if (!typing) return
    clearTimeout(typing.rest)
    if (told) tellTyping(typing.id, false)
    typing = undefined
  }

  return {
    person,
    entries,
    chosen,
    lines,
    drafts,
    unread,
    endings,
    connected,
    trouble,
    talk,
    standingOf,

    choose(id: string | undefined): void {
      rest()
      trouble.value = undefined
      chosen.value = id
      lines.value = undefined
      if (id === undefined) return
      const { [id]: _, ...others } = unread.peek()
      unread.value = others
      void readLines()
    },
    take: (id: string) => act(id, 'take', { agent: person.peek() }),
    transfer: (id: string, queue: string) => act(id, 'transfer', { agentId: agentId(), queue }),
    async leave(id: string, end: boolean): Promise<void> {
      if (await act(id, 'leave', { agentId: agentId(), end }))
        endings.value = { ...endings.peek(), [id]: end ? words.desk.overEnded : words.desk.overLeft }
    },

    /** Keeps the draft, and shows the visitor that the live agent types. */
    draft(id: string, text: string): void {
      drafts.value = { ...drafts.peek(), [id]: text }
      if (text.trim() === '') return rest()
      const now = Date.now()
      const due = now - (typing?.toldAt ?? 0) >= TYPING_EVERY_MS
      if (due) tellTyping(id, true)
      clearTimeout(typing?.rest)
      const toldAt = due ? now : (typing?.toldAt ?? now)
      typing = { id, toldAt, rest: setTimeout(rest, TYPING_REST_MS) }
    },
    async answer(id: string, text: string): Promise<void> {
      // The message itself ends the typing indicator.
      rest(false)
      drafts.value = { ...drafts.peek(), [id]: '' }
      if (await act(id, 'answer', { agentId: agentId(), text })) await readLines()
      else if (drafts.peek()[id] === '') drafts.value = { ...drafts.peek(), [id]: text }
    },

    /** Listens until undone. */
    begin: () =>
      effect(() => {
        const query = new URLSearchParams(
          followed.value.split(' ').flatMap((id) => (id === '' ? [] : [['follow', id]])),
        )
        return listen(`desk/events?${query}`, {
          open() {
            // Errors from the time without a connection are obsolete.
            trouble.value = undefined
            void readEntries()
            void readLines()
          },
          live: (live) => {
            connected.value = live
          },
          on: { queue: () => void readEntries(), line: happened },
        })
      }),
  }
}

const pathOf = (id: string): string => `desk/${encodeURIComponent(id)}`

const ENDINGS: Readonly<Record<string, string>> = {
  EVENT_TYPE_SESSION_END: words.desk.overEnded,
  EVENT_TYPE_HANDOFF_TIMEOUT: words.desk.overTimeout,
}
