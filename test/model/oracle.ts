// Says what is wrong, from two things alone: what the service stored, and what the pages show.

import type { Entry } from '../../src/chat/index.ts'
import { type Browser, isRefused, type Tab } from './browser.ts'
import type { Excuses, Sent } from './excuses.ts'
import { CHUNK, DECISION, type Service, type Session, textOf, USER, WHOLE } from './service.ts'

/** What can be wrong: each is looked for by one check, and `bugs.ts` has a bug that no other check finds. */
export const KINDS = {
  lost: 'what a visitor sent is neither stored nor shown as not sent',
  hidden: 'what is stored in the conversation is not shown',
  vanished: 'what a page showed, or was told to send, has left its screen',
  doubled: 'what was sent once is stored twice',
  repeated: 'what is stored once is shown twice',
  reordered: 'messages are stored in another order than they were sent in',
  misplaced: 'what is shown stands in another place than it is stored in',
  torn: 'an answer is shown with a part missing, or in part as if it were whole',
  stuck: 'a page, or what it was told to send, waits though all is well',
  split: 'the pages of one browser are in different conversations',
  storm: 'a page asks more often than it may, or for nothing',
  thrown: 'a conversation that goes on is thrown away',
  dishonest:
    'what a page says is not so: words that nobody stored, a reason, or delivered and not sent at once',
  leaked: 'something went out without consent, or is still there after signing out',
  disputed:
    'a question has two decisions, or a page shows another one than is stored, or none, or waits for one',
  signs: 'a count or a notice is wrong: unread, typing, offline, a handoff',
  left: 'a page leaves something behind: a socket, a timer',
  threw: 'the engine threw',
} as const
export type Kind = keyof typeof KINDS
export type Breach = { kind: Kind; what: string }

/** One message as the service has it. `id`: the sender's, of which a service may store a second copy. */
export type Truth = {
  session: Session
  role: string
  text: string
  complete: boolean
  place: number
  id?: string | undefined
}

/** `until`: from which sequence on nothing counts. `senders`: the ids that senders gave their messages, by the event. */
export function truthOf(
  session: Session,
  senders: ReadonlyMap<string, string>,
  until = Number.POSITIVE_INFINITY,
): Truth[] {
  const list: Truth[] = []
  const streams = new Map<string, { at: Truth; chunks: Session['events'][number][] }>()
  let unnamed: string | undefined
  let counter = 0
  for (const event of session.events) {
    const { payload, sequence } = event
    if (sequence >= until) break
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
    const id = senders.get(event.id)
    if (role) list.push({ session, role, text: String(payload.text), complete: true, place, id })
  }
  return list
}
const ROLES: Readonly<Record<string, string>> = {
  [USER]: 'visitor',
  EVENT_TYPE_POLY_AGENT_MESSAGE: 'agent',
  EVENT_TYPE_LIVE_AGENT_MESSAGE: 'live',
}

type Line = { key: string; role: string; text: string; complete: boolean }

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
    last.lines.push({ key: entry.key, role: entry.role, text: pieces.slice(0, length).join(''), complete })
  }
  return segments
}

/** What makes a line the line that it is: an agent's begins with its number, a visitor's is its text. */
const nameOf = (line: { role: string; text: string }) =>
  line.role === 'visitor' ? `visitor ${line.text.trim()}` : (/^A\d+:/.exec(line.text)?.[0] ?? line.text)

/** Where nothing is under way. */
export const SETTLED: ReadonlySet<string> = new Set(['idle', 'live', 'expired', 'ended'])

/** What only something that happens shows or helps. */
export type Pending = {
  /** What the hub lost and nothing has shown to be missing yet, by the first sequence of it. */
  untold?: ReadonlyMap<Session, number>
  /** Pages that were refused, and wait for an act of the visitor. */
  waits?(tab: Tab): boolean
  /** Pages that have no socket for a reason, while another page goes on in their session: they show what they had read. */
  isAside(tab: Tab): boolean
  /** The visitor has looked at every page and typed in it: until then a page may not have followed the others to another session. */
  isUsed?: boolean
}

export function judge(
  service: Service,
  browser: Browser,
  excuses: Excuses,
  { untold = new Map(), waits = () => false, isAside, isUsed = false }: Pending,
): Breach[] {
  const breaches: Breach[] = []
  const say = (kind: Kind, what: string) => breaches.push({ kind, what })
  const { left } = excuses
  const truths = new Map(
    [...service.sessions.values()].map((session) => [
      session,
      truthOf(session, service.senders, untold.get(session)),
    ]),
  )
  const all = [...truths.values()].flat()
  // What a page sent is stored whether or not anybody has heard of it.
  const stored = [...service.sessions.values()].flatMap((session) => truthOf(session, service.senders))
  const boxes = browser.tabs.flatMap((tab) => tab.chat.outbox.value.map((item) => ({ tab, item })))
  const isUnsent = ({ tab, item }: Boxed) => isNotSent(item.state) || waits(tab)
  judgeSent(service, stored, boxes, isUnsent, excuses, say)

  for (const tab of browser.tabs) {
    const { chat } = tab
    const status = chat.status.value
    for (const what of tab.broken) say('threw', `${tab.name}: ${what}`)
    if (waits(tab)) continue
    const aside = isAside(tab)
    if (!SETTLED.has(status) && !aside) say('stuck', `${tab.name} is ${status}, and all is well`)
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
        if (order < before && !excuses.unordered.has(session))
          say('misplaced', `${tab.name} shows sessions out of their order`)
        if (!excuses.unordered.has(session)) before = order
      }
      for (const line of lines) {
        const name = nameOf(line)
        const truth = findTruth(all, session, line, name, shown, place)
        // Of a session that the visitor left, the beginning of an answer may have been lost on the way.
        const wasLeft = last ? session !== undefined && left.has(session) : end !== 'expired'
        const isRest = all.some((each) => isGone(each.session) && isPart(line.text, each.text))
        if (!truth && (wasLeft || isRest) && line.role === 'agent') continue
        // One page had heard of it and is gone, or it came by another way.
        if (!truth && stored.some((each) => each.role === line.role && nameOf(each) === name)) continue
        if (!truth) {
          say('dishonest', `${tab.name} shows ${line.role} "${line.text}", which is stored nowhere`)
          continue
        }
        session ??= truth.session
        if (truth.session !== session)
          say('misplaced', `${tab.name} shows "${line.text}" of ${truth.session.id} in ${session.id}`)
        const once = keyOf(truth)
        if (shown.has(once)) say('repeated', `${tab.name} shows "${line.text}" twice`)
        shown.add(once)
        if (truth.place < place) say('misplaced', `${tab.name} shows "${line.text}" too late`)
        place = Math.max(place, truth.place)
        // A session that was lost cannot be asked for the rest.
        const isOver = end === 'expired' && session.state !== 'active'
        const whole = last || (isOver && line.complete && truth.complete)
        const cutShort = isGone(session) && isPart(line.text, truth.text)
        if (line.text !== truth.text && whole && !left.has(session) && !cutShort && !(last && aside))
          say('torn', `${tab.name} shows "${line.text}" of "${truth.text}" (complete: ${line.complete})`)
        if (line.text === truth.text && last && truth.complete && !line.complete && !aside)
          say('stuck', `${tab.name}: "${line.text}" is shown as if more would come`)
      }
      if (!last || aside) return
      const current = status === 'live' ? service.sessions.get(chat.sessionId.value ?? '') : session
      if (!current || left.has(current) || isGone(current)) return
      // Where the service does not say when a session expires, each page counts for itself.
      if (status === 'expired' && service.profile.idleSeconds === undefined && browser.tabs.length > 1) return
      // A message that was sent twice under one id is shown once.
      const here = truths.get(current) ?? []
      const ids = new Set(all.flatMap((each) => (shown.has(keyOf(each)) ? [each.id] : [])))
      for (const truth of here) {
        if (shown.has(keyOf(truth)) || (truth.id !== undefined && ids.has(truth.id))) continue
        say('hidden', `${tab.name} (${status}) does not show ${truth.role} "${truth.text}" of ${current.id}`)
      }
    })
    for (const item of chat.outbox.value) {
      const line = segments.at(-1)?.lines.find(({ key }) => key === item.id)
      if (line) say('dishonest', `${tab.name} shows "${item.text}" as delivered and as ${item.state}`)
    }
    judgeSigns(tab, say)
    const current = service.sessions.get(chat.sessionId.value ?? '')
    if (status === 'live' && current && !aside) judgeDecisions(tab, current, untold.get(current), say)
  }
  const live = browser.tabs.filter((tab) => tab.chat.status.value === 'live')
  const ids = new Set(live.map((tab) => tab.chat.sessionId.value))
  if (isUsed && ids.size > 1)
    say('split', `the tabs are in ${ids.size} conversations: ${[...ids].join(', ')}`)
  return breaches
}

/** What a page says of the questions of its session is what the service stored. `until`: the page cannot know more. */
export function judgeDecisions(
  { name, chat }: Tab,
  { id, events }: Session,
  until: number | undefined,
  say: Say,
): void {
  const stored = new Map<unknown, unknown>()
  let open: unknown
  for (const { type, payload, sequence } of events) {
    if (type === WHOLE && payload.confirm) open = payload.message_id
    if (type !== DECISION) continue
    if (stored.has(payload.confirm_id)) say('disputed', `${id} has two decisions about ${payload.confirm_id}`)
    stored.set(payload.confirm_id, sequence < (until ?? sequence + 1) ? payload.decision : undefined)
    if (open === payload.confirm_id) open = undefined
  }
  const asked = new Set(events.flatMap(({ type, payload }) => (type === WHOLE ? [payload.message_id] : [])))
  for (const entry of chat.transcript.value) {
    const confirm = entry.kind === 'message' ? entry.content.value.confirm : undefined
    if (!confirm || !asked.has(entry.key) || confirm.decision === stored.get(entry.key)) continue
    say(
      'disputed',
      `${name} shows ${confirm.decision} for ${entry.key}, and ${id} has ${stored.get(entry.key)}`,
    )
  }
  const { key, chosen } = chat.question.value ?? {}
  if (until === undefined && key !== open) say('disputed', `${name} has ${key} open, and ${id} has ${open}`)
  if (chosen) say('disputed', `${name} still waits for the decision about ${key}`)
}

/** What a page says beside the messages, where nothing is under way. */
function judgeSigns({ name, chat, shown }: Tab, say: Say): void {
  const [status, unread, notice] = [chat.status.value, chat.unread.value, chat.notice.value]
  if (shown && unread > 0) say('signs', `${name} is looked at, and ${unread} messages count as unread`)
  const answers = chat.transcript.value.filter((each) => each.kind === 'message' && each.role !== 'visitor')
  if (unread > answers.length) say('signs', `${name} counts ${unread} unread of ${answers.length}`)
  if (notice && notice.kind !== status && !(notice.kind === 'idle-warning' && status === 'live'))
    say('signs', `${name} is ${status}, and says ${notice.kind}`)
}

const isNotSent = (state: string) => state === 'failed' || state === 'unconfirmed'

type Say = (kind: Kind, what: string) => unknown
type Boxed = { tab: Tab; item: { id: string; text: string; state: string } }

/** What the visitor sent: stored once, in its order, or visibly not sent. */
function judgeSent(
  service: Service,
  all: readonly Truth[],
  boxes: readonly Boxed[],
  isUnsent: (each: Boxed) => boolean,
  { sent }: Excuses,
  say: Say,
): void {
  const stored = all.filter(({ role }) => role === 'visitor')
  // Where echoes name no messages, nobody can tell apart those with the same words.
  const groups = new Map<string, Sent[]>()
  for (const each of sent.values()) {
    const key = service.profile.metadata ? each.id : each.text
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  for (const group of groups.values()) {
    const [{ text }] = group as [Sent]
    const ids = new Set(group.map(({ id }) => id))
    const here = stored.filter(({ id }) => ids.has(id ?? ''))
    const waiting = boxes.filter(({ item }) => ids.has(item.id))
    for (const { item } of waiting)
      if (sent.get(item.id)?.signedOut) say('leaked', `"${text}" is still there after signing out`)
    if (isRefused(text)) {
      if (here.length > 0) say('leaked', `"${text}" went out without the site's consent`)
      continue
    }
    const notSent = new Set(waiting.filter(isUnsent).map(({ item }) => item.id))
    const needed = group.filter(({ excused }) => excused === undefined).length
    const most = group.reduce((sum, each) => sum + each.copies, 0)
    if (here.length > most) say('doubled', `"${text}" is stored ${here.length} times, sent ${most} times`)
    const found = here.length + notSent.size
    // Of several that were on their way at once, one echo may have confirmed each.
    const taken = new Set(group.flatMap(({ mixed }) => mixed ?? []))
    const unsure = group.filter(({ mixed }) => mixed !== undefined).length - taken.size
    if (found + unsure < needed)
      say('lost', `"${text}": sent ${needed} times, stored ${here.length}, not sent ${notSent.size}`)
  }

  // Sent twice without an echo, then it is for the visitor to decide.
  for (const [copy, times] of service.received) {
    const one = sent.get(copy.split(' ')[1] ?? '')
    if (one && times > 2 * (one.asked + one.copies - 1))
      say('storm', `"${one.text}" went out ${times} times into one session`)
  }

  // In the order in which they were sent.
  const made = [...service.sessions.values()]
  const isBehind = (one: Truth, other: Truth) =>
    one.session === other.session
      ? one.place > other.place
      : made.indexOf(one.session) > made.indexOf(other.session)
  const places = new Map<string, Truth>()
  for (const truth of stored) if (truth.id && !places.has(truth.id)) places.set(truth.id, truth)
  const last = new Map<number, { text: string; truth: Truth }>()
  for (const { id, text, line, moved, copies } of sent.values()) {
    const truth = places.get(id)
    if (!truth || moved || copies !== 1 || service.late.has(id)) continue
    if (text === 'ok' && !service.profile.metadata) continue
    const before = last.get(line)
    if (before && isBehind(before.truth, truth))
      say('reordered', `"${before.text}" is stored behind "${text}"`)
    else last.set(line, { text, truth })
  }
}

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
