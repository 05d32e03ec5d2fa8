// Keeps what the oracle may not hold against the engine, each excuse for the message, the session and the moment that deserve it.

import type { Tab } from './browser.ts'
import type { Network } from './network.ts'
import type { Service, Session } from './service.ts'
import type { Time } from './time.ts'

/** A text that a visitor sent. A message that is sent again under another id is another one. */
export type Sent = {
  readonly id: string
  readonly text: string
  /** The page, and those that it was reloaded into. */
  readonly line: number
  readonly at: number
  /** How often it may be stored, and how often it was sent by the visitor. */
  copies: number
  asked: number
  /** Why it need not be anywhere: discarded, signed out, its page gone before it was sent, sent again under another id. */
  excused: string | undefined
  /** Its place is not where it was written: it was sent again, or two pages have it. */
  moved: boolean
  /** Two pages have it, one of which shows it. */
  copied: boolean
  /** Where echoes name no messages: the same words were on their way in another page at the same time, and so may have been confirmed by each other's echo. The first of those. */
  mixed: string | undefined
  /** The person who wrote it has signed out. */
  signedOut: boolean
}

/** Within this one of the pages has the lease, and the others follow it. */
export const LEASED = 3_000
/** Within this a page hears of a sign-out in another one, and a copy whose the messages are that it found. */
const HEARD = 10
/** So long after a session was refused a page may still go on without it. */
const REMEMBERED = 60_000

type Item = { readonly id: string; readonly state: string; readonly tries: number }

export function createExcuses(time: Time, service: Service, network: Network) {
  const sent = new Map<string, Sent>()
  /** Sessions that the visitor left, and those that a page threw away for a reason: another may hear of it late. */
  const left = new Set<Session>()
  const thrown = new Set<Session>()
  /** Sessions of a time in which the tabs could not agree on an order: no store told them, or the service refused what it knew again later. */
  const unordered = new Set<Session>()
  let unorderedUntil = -1
  /** Sessions that were entered while no store took them: the next page finds the one before. */
  const unsaved = new Set<Session>()
  /** Until when nothing tells the tabs of each other's sessions. */
  let apartUntil = -1
  let signedOutAt = Number.NEGATIVE_INFINITY
  /** A page that could not read when the visitor signed out signs out once it can, lest it show another person's chat. */
  let unmarked = false
  /** What each page waits for, and what it waited for before the last change; its session likewise. */
  const boxes = new Map<Tab, { now: readonly string[]; before: readonly string[]; at: number }>()
  const sessions = new Map<Tab, Session>()
  const copiedAt = new Map<Tab, number>()
  /** The pages that were frozen as they were copied, by their copies. */
  const originals = new Map<Tab, Tab>()

  /** What each page has sent without an echo so far. */
  const onTheirWay = new Map<Tab, ReadonlySet<string>>()
  function mix(tab: Tab): void {
    for (const id of onTheirWay.get(tab) ?? [])
      for (const [other, ids] of onTheirWay)
        for (const theirs of other === tab || !other.alive ? [] : ids) {
          const [one, two] = [sent.get(id), sent.get(theirs)]
          if (!one || !two || one === two || one.text.trim() !== two.text.trim()) continue
          const first = one.mixed ?? two.mixed ?? theirs
          one.mixed = two.mixed = first
        }
  }

  const waiting = (tab: Tab) => new Set(tab.chat.outbox.peek().map(({ id }) => id))
  const excuse = (ids: Iterable<string>, why: string) => {
    for (const id of ids) {
      const each = sent.get(id)
      if (each) each.excused ??= why
    }
  }
  const oneMore = (ids: Iterable<string>) => {
    for (const id of ids) {
      const each = sent.get(id)
      if (each) each.copies++
    }
  }
  /** What a store gives back late is sent behind what was written meanwhile. */
  const comesBack = (ids: Iterable<string>) => {
    for (const id of ids) {
      const each = sent.get(id)
      if (each) each.moved = true
    }
  }
  /** What the store of a page holds of its outbox. */
  const stored = ({ store }: Tab): Item[] => JSON.parse(store.get('outbox') ?? '{}').items ?? []

  /** The page goes, and what its store did not take with it: that is lost, or comes back as it was before. */
  function leaveStore(tab: Tab): void {
    if (!tab.isStale) return
    const items = stored(tab)
    excuse(
      [...waiting(tab)].filter((id) => !items.some((item) => item.id === id)),
      'its store was broken',
    )
    for (const { id, state, tries } of items) {
      const here = tab.chat.outbox.peek().find((item) => item.id === id) as Item | undefined
      if (here?.state !== state || here.tries !== tries) oneMore([id])
    }
    comesBack(items.map(({ id }) => id))
  }
  /** A copy tells its original what it has sent. Where the two are never awake together nobody does. */
  function forgets(copy: Tab): void {
    const original = originals.get(copy)
    if (original?.frozen) oneMore(waiting(original))
  }

  return {
    sent,
    left,
    thrown,
    unordered,
    waiting,
    wrote(line: number, id: string, text: string) {
      sent.set(id, {
        id,
        text,
        line,
        at: time.now(),
        copies: 1,
        asked: 1,
        // Another page may have signed out in this moment: this one hears of it behind its message.
        excused: time.now() - signedOutAt < HEARD ? 'a sign-out was on its way' : undefined,
        moved: false,
        copied: false,
        mixed: undefined,
        signedOut: false,
      })
    },
    /** `from`: what the visitor sent again, and under which id. What was said to be not sent keeps its id, and is stored once all the same. */
    again(line: number, from: string, to: string) {
      const before = sent.get(from)
      if (!before) return
      // A service that stored it and called it refused made this copy.
      if (service.denied.has(from)) before.copies++
      before.moved = true
      before.asked++
      if (to === from) return
      before.excused ??= 'sent again'
      this.wrote(line, to, before.text)
      const after = sent.get(to)
      if (after) after.moved = true
    },
    discarded: (id: string) => excuse([id], 'discarded'),
    /** A page reads its store: where that gives nothing, what it holds is lost. */
    opened(tab: Tab, denied: boolean) {
      if (!denied) return
      const ids = stored(tab).map(({ id }) => id)
      excuse(ids, 'its store was broken')
      comesBack(ids)
    },
    copied(tab: Tab, copy: Tab) {
      for (const id of waiting(tab)) {
        const each = sent.get(id)
        if (each) each.moved = each.copied = true
      }
      leaveStore(tab)
      if (tab.frozen) originals.set(copy, tab)
      copiedAt.set(copy, time.now())
    },
    reloaded(tab: Tab) {
      leaveStore(tab)
      forgets(tab)
    },
    closed(tab: Tab, tabs: readonly Tab[]) {
      forgets(tab)
      const elsewhere = new Set(tabs.filter((each) => each !== tab).flatMap((each) => [...waiting(each)]))
      excuse(
        [...waiting(tab)].filter((id) => !elsewhere.has(id)),
        'its page was closed',
      )
    },
    /** A copy that stands still before its original has answered does not know what that one sends. */
    stands(tab: Tab) {
      forgets(tab)
      if (time.now() - (copiedAt.get(tab) ?? Number.NEGATIVE_INFINITY) < HEARD) oneMore(waiting(tab))
    },

    signsOut(tabs: readonly Tab[]) {
      // A page that stands still while no store takes the mark can hear of it from nobody.
      const isMarked = time.now() > apartUntil
      const deaf = new Set(
        tabs.filter(({ frozen }) => frozen && !isMarked).flatMap((tab) => [...waiting(tab)]),
      )
      for (const each of sent.values()) each.signedOut ||= !deaf.has(each.id)
      for (const tab of tabs) excuse(waiting(tab), 'signed out')
      signedOutAt = time.now()
      unmarked = !isMarked
      for (const { token } of service.sessions.values()) network.doom(token)
    },
    /** A page signs out: at once, or as it hears of it. What it may still hold of that person goes. */
    signedOut(tab: Tab) {
      const box = boxes.get(tab)
      const gone = box && box.at === time.now() ? box.before : []
      excuse(
        gone.filter((id) => unmarked || (sent.get(id)?.at ?? 0) <= signedOutAt + HEARD),
        'signed out',
      )
      const session = sessions.get(tab)
      if (session && (unmarked || session.madeAt <= signedOutAt + HEARD)) left.add(session)
    },

    /** What a page shows as waiting has changed. */
    boxed(tab: Tab) {
      onTheirWay.set(
        tab,
        new Set(tab.chat.outbox.peek().flatMap(({ id, state }) => (state === 'sent' ? [id] : []))),
      )
      if (!service.profile.metadata) mix(tab)
      boxes.set(tab, { now: [...waiting(tab)], before: boxes.get(tab)?.now ?? [], at: time.now() })
    },
    /** A page is in a session. */
    entered(tab: Tab, session: Session) {
      sessions.set(tab, session)
      if (time.now() <= unorderedUntil) unordered.add(session)
      if (time.now() <= apartUntil) unsaved.add(session)
    },
    storageFails(ms: number, tabs: readonly Tab[], denied: boolean) {
      // Pages that find no lease begin each for itself, until one has it.
      apartUntil = Math.max(apartUntil, time.now() + ms + LEASED)
      unmarked ||= denied
      network.disagree(ms + LEASED)
      this.disagree(ms + LEASED, tabs)
    },
    disagree(ms: number, tabs: readonly Tab[]) {
      unorderedUntil = Math.max(unorderedUntil, time.now() + ms)
      for (const tab of tabs) {
        const session = sessions.get(tab)
        if (session) unordered.add(session)
      }
    },
    /** The machine slept: what a page was about to do it does as the machine wakes. */
    slept(ms: number) {
      if (apartUntil < time.now() - ms) return
      apartUntil = Math.max(apartUntil, time.now() + LEASED)
      unorderedUntil = Math.max(unorderedUntil, time.now() + LEASED)
      network.disagree(LEASED)
    },

    /** Why a page may go on without a session that goes on; undefined: it may not. */
    mayLeave(session: Session): string | undefined {
      network.disown()
      if (left.has(session)) return 'left'
      if (thrown.has(session)) return 'heard late'
      if (session.forgotten || session.disowned) return 'disowned'
      if (network.isDoomed(session)) return 'token lost'
      if (time.now() <= apartUntil || unsaved.has(session)) return 'not stored'
      if (service.lifeOf(session.token) < REMEMBERED) return 'token over'
      return time.now() - (session.mistreatedAt ?? Number.NEGATIVE_INFINITY) < REMEMBERED
        ? 'refused'
        : undefined
    },
  }
}

export type Excuses = ReturnType<typeof createExcuses>
