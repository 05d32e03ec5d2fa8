// Says what is wrong, from two things alone: what the service stored, and what the pages show.

import type { Entry } from '../../src/chat/index.ts'
import { type Browser, isRefused, type Tab } from './browser.ts'
import { CHUNK, type Service, type Session, textOf, USER } from './service.ts'

export type Breach = {
  kind: 'lost' | 'doubled' | 'reordered' | 'torn' | 'stuck' | 'storm' | 'dishonest' | 'threw'
  what: string
}

/** A text that a visitor sent, and how often it may be stored. */
export type Sent = {
  readonly id: string
  readonly text: string
  readonly tab: Tab
  /** Explicit sendings: the first, and each retry. */
  tries: number
  /** Why it need not be anywhere: discarded, logged out, its page gone before it was sent, its store broken. */
  excused: string | undefined
  /** A copy of its page may send it, or that page. */
  copied?: boolean
}

/** One message as the service has it. `id`: the sender's, of which a service may store a second copy. */
export type Truth = {
  session: Session
  role: string
  text: string
  complete: boolean
  place: number
  id?: string | undefined
}

export function truthOf(session: Session): Truth[] {
  const list: Truth[] = []
  const streams = new Map<string, { at: Truth; chunks: Session['events'][number][] }>()
  let unnamed: string | undefined
  let counter = 0
  for (const event of session.events) {
    const { payload, sequence } = event
    if (event.type === CHUNK) {
      // Chunks without an id belong together from the first to the one that is complete.
      if (typeof payload.message_id !== 'string') unnamed ??= `unnamed ${counter++}`
      const key = typeof payload.message_id === 'string' ? payload.message_id : (unnamed ?? '')
      let stream = streams.get(key)
      if (!stream) {
        stream = { at: { session, role: 'agent', text: '', complete: false, place: sequence }, chunks: [] }
        streams.set(key, stream)
        list.push(stream.at)
      }
      stream.chunks.push(event)
      stream.at.text = textOf(stream.chunks)
      if (payload.is_complete === true) {
        stream.at.complete = true
        if (key === unnamed) unnamed = undefined
      }
      continue
    }
    const role = ROLES[event.type]
    const place = event.first_sequence ?? sequence
    const id = event.metadata?.custom.client_event_id
    if (role) list.push({ session, role, text: String(payload.text), complete: true, place, id })
  }
  return list
}
const ROLES: Readonly<Record<string, string>> = {
  [USER]: 'visitor',
  EVENT_TYPE_POLY_AGENT_MESSAGE: 'agent',
  EVENT_TYPE_LIVE_AGENT_MESSAGE: 'live',
}

type Line = { role: string; text: string; complete: boolean }

/** The transcript as it is drawn, cut at its dividers. */
export function segmentsOf(transcript: readonly Entry[]): { lines: Line[]; end: string | undefined }[] {
  const segments: { lines: Line[]; end: string | undefined }[] = [{ lines: [], end: undefined }]
  for (const entry of transcript) {
    const last = segments.at(-1)
    if (!last) continue
    if (entry.kind === 'divider') {
      last.end = entry.reason
      segments.push({ lines: [], end: undefined })
    }
    if (entry.kind !== 'message') continue
    const { pieces, length, complete } = entry.content.value
    last.lines.push({ role: entry.role, text: pieces.slice(0, length).join(''), complete })
  }
  return segments
}

/** What makes a line the line that it is: an agent's begins with its number, a visitor's is its text. */
const nameOf = (line: { role: string; text: string }) =>
  line.role === 'visitor' ? `visitor ${line.text.trim()}` : (/^A\d+:/.exec(line.text)?.[0] ?? line.text)

const SETTLED = new Set(['idle', 'live', 'expired', 'ended'])

/**
 * `left`: sessions that the visitor ended, who did not wait for what was still to come. `late`: the service stored
 * messages long after it took them, in an order of its own. `apart`: the tabs could not agree on an order of sessions.
 */
export function judge(
  service: Service,
  browser: Browser,
  sent: readonly Sent[],
  left: ReadonlySet<Session>,
  late: boolean,
  apart: boolean,
): Breach[] {
  const breaches: Breach[] = []
  const say = (kind: Breach['kind'], what: string) => breaches.push({ kind, what })
  const truths = new Map([...service.sessions.values()].map((session) => [session, truthOf(session)]))
  const all = [...truths.values()].flat()

  // What the visitor sent: stored once, or visibly not sent.
  const boxes = browser.tabs.flatMap((tab) => tab.chat.outbox.value.map((item) => ({ tab, item })))
  for (const text of new Set(sent.map((each) => each.text))) {
    const each = sent.filter((one) => one.text === text)
    const stored = all.filter((one) => one.role === 'visitor' && one.text.trim() === text.trim()).length
    if (each.every((one) => one.excused === 'logged out') && boxes.some(({ item }) => item.text === text))
      say('dishonest', `"${text}" is still there after signing out`)
    if (isRefused(text)) {
      if (stored > 0) say('dishonest', `"${text}" went out without the site's consent`)
      continue
    }
    const notSent = boxes.filter(({ item }) => item.text === text && isNotSent(item.state))
    const needed = each.filter((one) => one.excused === undefined).length
    const most = each.reduce((sum, one) => sum + one.tries, 0)
    if (stored > most) say('doubled', `"${text}" is stored ${stored} times, sent ${most} times`)
    if (stored + notSent.length < needed)
      say('lost', `"${text}": sent ${needed} times, stored ${stored}, shown as not sent ${notSent.length}`)
  }

  // Sent twice without an echo, then it is for the visitor to decide.
  for (const [copy, times] of service.received) {
    const one = sent.find((each) => copy.endsWith(` ${each.id}`))
    if (one && times > 2 * one.tries) say('storm', `"${one.text}" went out ${times} times into one session`)
  }
  // In the order in which they were sent.
  const placeOf = (text: string) => all.find((truth) => truth.role === 'visitor' && truth.text === text)
  const last = new Map<string, { text: string; place: number }>()
  for (const { text, tab, tries, copied } of late ? [] : sent) {
    const truth = placeOf(text)
    if (copied || tries !== 1 || text === 'ok' || !truth) continue
    const key = `${tab.name} ${truth.session.id}`
    const before = last.get(key)
    if (before && before.place > truth.place) say('reordered', `"${before.text}" is stored behind "${text}"`)
    last.set(key, { text, place: truth.place })
  }

  /** What a broken store gave back after its echo, by the text: a service may echo no ids. */
  const givenBack = new Map(
    sent
      .filter(({ text, tries }) => text !== 'ok' && tries === Number.POSITIVE_INFINITY)
      .map((one) => [one.text, one.id]),
  )
  const idOf = ({ id, role, text }: Truth) => id ?? (role === 'visitor' ? givenBack.get(text) : undefined)

  for (const tab of browser.tabs) {
    const { chat } = tab
    const status = chat.status.value
    for (const what of tab.broken) say('threw', `${tab.name}: ${what}`)
    if (!SETTLED.has(status)) say('stuck', `${tab.name} is ${status}, and all is well`)
    for (const item of chat.outbox.value)
      if (!isNotSent(item.state) && status !== 'idle' && status !== 'expired')
        say('stuck', `${tab.name} (${status}): "${item.text}" is ${item.state}`)

    const segments = segmentsOf(chat.transcript.value)
    // Over for more than ten minutes before anybody came back, not to be asked, or disowned by the service.
    const isGone = ({ id, state, overAt, disowned, unasked }: Session) =>
      (state !== 'active' && (unasked || tab.troubledAt - overAt > 600_000)) ||
      (disowned && !(status === 'live' && chat.sessionId.value === id))
    const shown = new Set<string>()
    let before = 0
    segments.forEach(({ lines, end }, index) => {
      const last = index === segments.length - 1
      let place = 0
      // Texts that repeat say nothing of where they are: the others tell which session this is.
      let session: Session | undefined = lines
        .map((line) => all.filter((truth) => truth.role === line.role && nameOf(truth) === nameOf(line)))
        .find((found) => found.length === 1)?.[0]?.session
      // Behind a line between two sessions stands another one.
      const later = [...truths].slice(before + (index > 0 && lines.length > 0 ? 1 : 0))
      session ??= [...later, ...truths].find(([, list]) => holds(list, lines))?.[0]
      if (last && lines.length > 0) session = service.sessions.get(chat.sessionId.value ?? '') ?? session
      if (session) {
        const order = [...truths.keys()].indexOf(session)
        if (order < before && !apart) say('reordered', `${tab.name} shows sessions out of their order`)
        before = order
      }
      for (const line of lines) {
        const name = nameOf(line)
        const truth = findTruth(all, session, line, name, shown, place)
        // Of a session that the visitor left, the beginning of an answer may have been lost on the way.
        const wasLeft = last ? session !== undefined && left.has(session) : end !== 'expired'
        const isRest = all.some((each) => isGone(each.session) && isPart(line.text, each.text))
        if (!truth && (wasLeft || isRest) && line.role === 'agent') continue
        if (!truth) {
          say('dishonest', `${tab.name} shows ${line.role} "${line.text}", which is stored nowhere`)
          continue
        }
        session ??= truth.session
        if (truth.session !== session)
          say('reordered', `${tab.name} shows "${line.text}" of ${truth.session.id} in ${session.id}`)
        const once = keyOf(truth)
        if (shown.has(once)) say('doubled', `${tab.name} shows "${line.text}" twice`)
        shown.add(once)
        if (truth.place < place) say('reordered', `${tab.name} shows "${line.text}" too late`)
        place = Math.max(place, truth.place)
        // A session that was lost cannot be asked for the rest.
        const isOver = end === 'expired' && session.state !== 'active'
        const whole = last || (isOver && line.complete && truth.complete)
        const cutShort = isGone(session) && isPart(line.text, truth.text)
        if (line.text !== truth.text && whole && !left.has(session) && !cutShort)
          say('torn', `${tab.name} shows "${line.text}" of "${truth.text}" (complete: ${line.complete})`)
        if (line.text === truth.text && last && truth.complete && !line.complete)
          say('stuck', `${tab.name}: "${line.text}" is shown as if more would come`)
      }
      if (!last) return
      const current = status === 'live' ? service.sessions.get(chat.sessionId.value ?? '') : session
      if (!current || left.has(current) || isGone(current)) return
      // A message that was sent twice under one id is shown once, also where a broken store gave it back after its echo.
      const here = truths.get(current) ?? []
      const idsIn = (list: readonly Truth[]) =>
        new Set(list.flatMap((each) => (shown.has(keyOf(each)) ? [idOf(each)] : [])))
      const [ids, every] = [idsIn(here), idsIn(all)]
      for (const truth of here) {
        const id = idOf(truth)
        if (shown.has(keyOf(truth)) || (id && (givenBack.has(truth.text) ? every : ids).has(id))) continue
        say('lost', `${tab.name} (${status}) does not show ${truth.role} "${truth.text}" of ${current.id}`)
      }
    })
    for (const item of chat.outbox.value) {
      if (!segments.at(-1)?.lines.some((line) => line.role === 'visitor' && line.text === item.text)) continue
      if (sent.filter((one) => one.text === item.text).reduce((sum, one) => sum + one.tries, 0) === 1)
        say('dishonest', `${tab.name} shows "${item.text}" as delivered and as ${item.state}`)
    }
  }
  const live = browser.tabs.filter((tab) => tab.chat.status.value === 'live')
  const ids = new Set(live.map((tab) => tab.chat.sessionId.value))
  if (ids.size > 1) say('stuck', `the tabs are in ${ids.size} conversations: ${[...ids].join(', ')}`)
  return breaches
}

const isNotSent = (state: string) => state === 'failed' || state === 'unconfirmed'

/** Texts that repeat are told apart by their session, by which of them was shown already, and by what was shown before. */
function findTruth(
  all: readonly Truth[],
  session: Session | undefined,
  line: Line,
  name: string,
  shown: ReadonlySet<string>,
  place: number,
): Truth | undefined {
  const named = all.filter((truth) => nameOf(truth) === name && truth.role === line.role)
  const fresh = named.filter((truth) => !shown.has(keyOf(truth)))
  const here = (truth: Truth) => truth.session === session
  const next = (truth: Truth) => here(truth) && truth.place > place
  return fresh.find(next) ?? fresh.find(here) ?? named.find(here) ?? fresh[0] ?? named[0]
}

/** Whether a session has all that a segment shows. */
const holds = (list: readonly Truth[], lines: readonly Line[]): boolean =>
  lines.length > 0 &&
  lines.every((line) => {
    const same = (each: { role: string; text: string }) =>
      each.role === line.role && nameOf(each) === nameOf(line)
    return list.filter(same).length >= lines.filter(same).length
  })

/** Whether a text has nothing but words of the whole, in their order. */
function isPart(text: string, whole: string): boolean {
  const words = whole.split(' ')[Symbol.iterator]()
  return text.split(' ').every((word) => {
    for (let next = words.next(); !next.done; next = words.next()) if (next.value === word) return true
    return false
  })
}

const keyOf = ({ session, place }: Truth): string => `${session.id} ${place}`

/** Most attempts that a page may make in a window beside those that a visitor asked for. */
export function stormOf(tabs: readonly Tab[], acts: readonly number[]): Breach[] {
  const breaches: Breach[] = []
  // What one tab is asked for another one does for it.
  const asks = [...acts, ...tabs.flatMap((tab) => tab.released)]
  for (const tab of tabs)
    for (const [what, times, ms, most, each] of [
      ['attempts', tab.attempts, 5_000, 20, 6],
      ['attempts', tab.attempts, 60_000, 60, 6],
      ['frames', tab.frames, 5_000, 60, 6],
    ] as const) {
      let from = 0
      for (let to = 0; to < times.length; to++) {
        const end = times[to] ?? 0
        while ((times[from] ?? 0) < end - ms) from++
        const count = to - from + 1
        if (count <= most) continue
        const asked = asks.filter((at) => at >= end - ms - 1_000 && at <= end).length
        if (count <= most + each * asked) continue
        breaches.push({ kind: 'storm', what: `${tab.name} made ${count} ${what} in ${ms} ms at ${end}` })
        break
      }
    }
  return breaches
}
