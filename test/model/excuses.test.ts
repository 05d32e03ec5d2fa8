// Each excuse of the oracle ends where it says: what is just inside of it breaks no rule, and what is just outside does.

import { describe, expect, it } from 'vitest'
import { type Case, createCase, type Shown, tab } from './case.ts'
import type { PageSocket } from './network.ts'
import type { Kind, Pending } from './oracle.ts'
import type { Profile, Session } from './service.ts'

/** What happens, and what is pending as the oracle looks. */
type History = (c: Case) => Partial<Pending> | undefined | Promise<Partial<Pending> | undefined>
/** The same at another service. */
type Elsewhere = readonly [Partial<Profile>, History]

/** `outside`: histories that differ from the one inside in one thing, which names them. */
function excuse(
  what: string,
  kind: Kind,
  inside: History | Elsewhere,
  outside: Readonly<Record<string, History | Elsewhere>>,
): void {
  describe(what, () => {
    it('is excused', async () => expect(await breachesOf(inside)).toEqual([]))
    it.each(Object.entries(outside))(`but “${kind}” where %s`, async (_, history) =>
      expect(await breachesOf(history)).toEqual([kind]),
    )
  })
}
async function breachesOf(given: History | Elsewhere): Promise<readonly Kind[]> {
  const [profile, history] = typeof given === 'function' ? [{}, given] : given
  const c = createCase(profile)
  return c.breaches((await history(c)) ?? {})
}

const MINUTE = 60_000
/** So long after the stores failed for a second the pages of a browser agree again. */
const AGREED = 1_000 + 3_000
const fail = (c: Case, pages: readonly Shown[] = []) => c.excuses.storageFails(1_000, pages.map(tab), false)

const written = (c: Case, ...messages: Parameters<Case['write']>[1][]): Shown => {
  const page = c.page()
  c.write(page, ...messages)
  return page
}

describe('a message that is nowhere,', () => {
  const discards =
    (...messages: readonly string[]): History =>
    (c) => {
      const page = written(c, ...messages)
      c.excuses.discarded('one')
      return void c.box(page)
    }
  excuse('and was discarded', 'lost', discards('one'), { 'it is another one': discards('one', 'two') })

  const again =
    (to: string, ...stored: readonly { id: string; text: string }[]): History =>
    (c) => {
      c.box(written(c, 'one'))
      c.excuses.again(0, 'one', to)
      return void c.store(c.session(), ...stored)
    }
  excuse('and was sent again under another id', 'lost', again('two', { id: 'two', text: 'one' }), {
    'that one is nowhere': again('two'),
    'it kept its id': again('one'),
  })

  const closes =
    (closed: number, ...boxes: readonly (readonly string[])[]): History =>
    (c) => {
      written(c, 'one')
      c.page()
      for (const [index, items] of boxes.entries()) c.box(c.tabs[index] as Shown, ...items)
      return void c.excuses.closed(tab(c.tabs[closed] as Shown), c.tabs.map(tab))
    }
  excuse('and waited in a page that was closed', 'lost', closes(0), {
    'it did not wait any more': closes(0, []),
    'it waited in another page too': closes(0, ['one'], ['one']),
    'another page was closed': closes(1),
  })

  const goes =
    ({ isStale = true, isKept = false, gone = 0 }): History =>
    (c) => {
      const page = written(c, 'one')
      if (isKept) c.keep(page)
      c.page()
      const left = c.tabs[gone] as Shown
      left.isStale = isStale
      c.excuses.reloaded(tab(left))
      return void c.box(page)
    }
  excuse('and waited in a page that went while its store did not hold it', 'lost', goes({}), {
    'the store took it': goes({ isStale: false }),
    'the store holds it': goes({ isKept: true }),
    'another page went': goes({ gone: 1 }),
  })

  const opens =
    (isDenied: boolean, opened = 0): History =>
    (c) => {
      const page = written(c, 'one')
      c.keep(page)
      c.page()
      c.box(page)
      return void c.excuses.opened(tab(c.tabs[opened] as Shown), isDenied)
    }
  excuse('and was in a store that gave nothing as its page opened', 'lost', opens(true), {
    'the store gave it': opens(false),
    'that was the store of another page': opens(true, 1),
  })

  const follows =
    (ms: number): History =>
    async (c) => {
      c.excuses.signsOut([])
      await c.pass(ms)
      return void c.box(written(c, 'one'))
    }
  excuse('and was written within 10 ms after a sign-out', 'lost', follows(9), {
    'it was written later': follows(10),
    'it was written before, and did not wait any more': (c) => {
      c.box(written(c, 'one'))
      return void c.excuses.signsOut(c.tabs.map(tab))
    },
  })

  /** A page hears of a sign-out after 20 s, so long after what was written meanwhile is gone. */
  const hears =
    ({ before = false, after = false, denied = false, late = 0, heard = 0 }): History =>
    async (c) => {
      if (before) c.excuses.storageFails(1_000, [], denied)
      c.excuses.signsOut([])
      if (after) c.excuses.storageFails(1_000, [], denied)
      await c.pass(20_000)
      c.box(written(c, 'one'))
      c.page()
      await c.pass(late)
      return void c.excuses.signedOut(tab(c.tabs[heard] as Shown))
    }
  excuse('and its page hears late of a sign-out that no store took', 'lost', hears({ before: true }), {
    'a store took it': hears({}),
    'a store took it before all of them were full': hears({ after: true }),
    'it was gone before the page heard of it': hears({ before: true, late: 1 }),
    'another page heard of it': hears({ before: true, heard: 1 }),
  })
  excuse('and its page could not read of a sign-out', 'lost', hears({ after: true, denied: true }), {
    'it could': hears({ after: true }),
  })

  const mixes =
    ({ words = 'one', state = 'sent', isConfirmed = false, isGone = false, stored = ['one'] }): History =>
    (c) => {
      const one = { id: 'one', text: 'one', state: 'sent', tries: 1 }
      const two = { id: 'two', text: words, state, tries: 1 }
      const page = written(c, { ...one, state: 'queued' })
      c.box(page, ...(isConfirmed ? [] : [one]))
      page.alive = !isGone
      c.box(written(c, { ...two, state: 'queued' }), two)
      for (const each of c.tabs) c.box(each)
      return void c.store(c.session(), ...stored.map((id) => ({ id, text: 'one' })))
    }
  const mute = { metadata: false }
  excuse('and whose words were on their way twice, where echoes name no message', 'lost', [mute, mixes({})], {
    'echoes name messages': mixes({}),
    'the words differ': [mute, mixes({ words: 'two' })],
    'one was confirmed before the other was sent': [mute, mixes({ isConfirmed: true })],
    'one was not sent yet': [mute, mixes({ state: 'queued' })],
    'the page of one was gone': [mute, mixes({ isGone: true })],
    'none is stored': [mute, mixes({ stored: [] })],
    'other words were on their way with each': [
      mute,
      (c) => {
        const flight = (id: string, text = 'one') => ({ id, text, state: 'sent', tries: 1 })
        const [page, other] = [written(c, 'one'), written(c, 'two')]
        c.box(other, flight('two', 'two'))
        c.box(page, flight('one'))
        c.box(page)
        c.write(page, { ...flight('three'), state: 'queued' })
        c.box(page, flight('three'))
        for (const each of c.tabs) c.box(each)
        return void c.store(c.session(), 'one', 'two')
      },
    ],
  })
})

describe('a message that is still there after a sign-out,', () => {
  const stays =
    ({ isFrozen = true, fails = true, others = 0 }): History =>
    (c) => {
      const page = written(c, 'one')
      page.frozen = isFrozen
      for (; others > 0; others--) written(c, 'two')
      if (fails) fail(c)
      return void c.excuses.signsOut(c.tabs.map(tab))
    }
  excuse('in a page that stands still and can hear of it from nobody', 'leaked', stays({}), {
    'the page runs': stays({ isFrozen: false }),
    'a store tells the page': stays({ fails: false }),
    'it is in another page': stays({ others: 1 }),
  })
})

describe('a message that is stored twice,', () => {
  const sent = { id: 'one', text: 'one', state: 'sent', tries: 1 }
  const knows =
    (now: object, times = 2, stored = 'one'): History =>
    (c) => {
      const page = written(c, sent)
      if (stored !== 'one') c.excuses.wrote(1, stored, stored)
      c.keep(page)
      c.box(page, { ...sent, ...now })
      page.isStale = true
      c.excuses.reloaded(tab(page))
      c.box(page)
      c.store(c.session(), 'one')
      return void c.store(
        c.session(),
        ...Array.from({ length: times - (stored === 'one' ? 1 : 0) }, () => stored),
      )
    }
  excuse('and whose page went before its store knew that it was sent', 'doubled', knows({ tries: 2 }), {
    'the store knew it': knows({}),
    'it is stored three times': knows({ tries: 2 }, 3),
    'it is another one': knows({ tries: 2 }, 2, 'two'),
  })

  const stands =
    ({ ms = 9, times = 2 }): History =>
    async (c) => {
      const [page, copy] = [written(c, 'one'), c.page()]
      c.box(copy, 'one')
      c.excuses.copied(tab(page), tab(copy))
      await c.pass(ms)
      c.excuses.stands(tab(copy))
      for (const each of c.tabs) c.box(each)
      return void c.store(c.session(), ...Array.from({ length: times }, () => 'one'))
    }
  excuse('and whose page stood still within 10 ms after it was copied', 'doubled', stands({}), {
    'it stood still later': stands({ ms: 10 }),
    'it is stored three times': stands({ times: 3 }),
  })

  const forgets =
    (how: 'reloaded' | 'closed', { copied = true, gone = true, times = 2 }): History =>
    async (c) => {
      const [page, copy] = [written(c, 'one'), c.page()]
      c.box(copy, 'one')
      page.frozen = copied
      c.excuses.copied(tab(page), tab(copy))
      await c.pass(MINUTE)
      page.frozen = gone
      if (how === 'closed') c.excuses.closed(tab(copy), [tab(page)])
      else c.excuses.reloaded(tab(copy))
      for (const each of c.tabs) c.box(each)
      return void c.store(c.session(), ...Array.from({ length: times }, () => 'one'))
    }
  for (const how of ['reloaded', 'closed'] as const)
    excuse(
      `and was copied from a page that never ran beside its copy, which is ${how}`,
      'doubled',
      forgets(how, {}),
      {
        'the page ran as it was copied': forgets(how, { copied: false }),
        'the page runs by now': forgets(how, { gone: false }),
        'it is stored three times': forgets(how, { times: 3 }),
      },
    )

  const denied =
    (...stored: readonly string[]): History =>
    (c) => {
      c.service.denied.add('one')
      c.box(written(c, 'one', 'two'))
      for (const id of ['one', 'two']) c.excuses.again(0, id, id)
      return void c.store(c.session(), 'one', 'two', ...stored)
    }
  excuse('and was sent again since the service stored it and called it refused', 'doubled', denied('one'), {
    'the service did not call it refused': denied('two'),
    'it is stored three times': denied('one', 'one'),
  })

  const goesOut =
    (times: number, again = 0): History =>
    (c) => {
      const session = c.session()
      c.box(written(c, 'one'))
      c.store(session, 'one')
      for (; again > 0; again--) c.excuses.again(0, 'one', 'one')
      return void c.service.received.set(`${session.id} one`, times)
    }
  excuse('or went out twice', 'storm', goesOut(2), { 'it went out three times': goesOut(3) })
  excuse('or went out four times, since the visitor sent it again', 'storm', goesOut(4, 1), {
    'it went out five times': goesOut(5, 1),
  })
})

describe('an order', () => {
  /** Three messages, stored in another order, of which something happens to the first. */
  const happens =
    (what: (c: Case, page: Shown) => void, ...stored: readonly string[]): History =>
    (c) => {
      const page = written(c, 'one', 'two', 'ten')
      what(c, page)
      c.box(page)
      return void c.store(c.session(), ...(stored.length > 0 ? stored : ['two', 'ten', 'one']))
    }
  const others = ['one', 'ten', 'two'] as const
  const sentAgain = (c: Case) => c.excuses.again(0, 'one', 'one')
  excuse('of a message that was sent again', 'reordered', happens(sentAgain), {
    'it is of two others': happens(sentAgain, ...others),
  })
  const isLate = (c: Case) => c.service.late.add('one')
  excuse('of a message that the service stored late', 'reordered', happens(isLate), {
    'it is of two others': happens(isLate, ...others),
  })
  const copies = (c: Case, page: Shown) => {
    c.box(page, 'one')
    c.excuses.copied(tab(page), tab(c.page()))
  }
  excuse('of a message that waited as its page was copied', 'reordered', happens(copies), {
    'it is of two others': happens(copies, ...others),
  })
  const comesBack =
    (isStale: boolean) =>
    (c: Case, page: Shown): void => {
      c.box(page, 'one')
      c.keep(page)
      page.isStale = isStale
      c.excuses.reloaded(tab(page))
    }
  excuse('of a message that a store gave back late', 'reordered', happens(comesBack(true)), {
    'the store was up to date': happens(comesBack(false)),
    'it is of two others': happens(comesBack(true), ...others),
  })
  const same =
    (text: string): History =>
    (c) => {
      const page = written(c, { id: 'one', text, state: 'queued', tries: 0 }, 'two')
      c.box(page)
      return void c.store(c.session(), 'two', { id: 'one', text })
    }
  const mute = { metadata: false }
  excuse(
    'of a message that is written often, where echoes name no message',
    'reordered',
    [mute, same('ok')],
    {
      'echoes name messages': same('ok'),
      'it is written once': [mute, same('one')],
    },
  )

  /** A page shows the later session first. */
  const shows =
    (what: (c: Case, first: Session, page: Shown) => unknown): History =>
    async (c) => {
      const [first, second] = [c.session(), c.session()]
      c.say(first, 'A1: of the first')
      c.say(second, 'A2: of the second')
      const page = c.page()
      c.show(page, 'A2: of the second', '--- lost', 'A1: of the first')
      await what(c, first, page)
      return undefined
    }
  const enters = (ms: number, disagree: (c: Case) => void, isOther = false) =>
    shows(async (c, first, page) => {
      disagree(c)
      await c.pass(ms)
      c.excuses.entered(tab(page), isOther ? c.session() : first)
    })
  const disagree = (c: Case) => c.excuses.disagree(1_000, [])
  excuse(
    'of a session that was entered while the pages could not agree',
    'misplaced',
    enters(1_000, disagree),
    {
      'it was entered after that': enters(1_001, disagree),
      'it is another one': enters(1_000, disagree, true),
    },
  )
  excuse(
    'of a session that was entered until 3 s after the stores took nothing',
    'misplaced',
    enters(AGREED, fail),
    {
      'it was entered after that': enters(AGREED + 1, fail),
    },
  )
  const isIn = (inIt: 'disagrees' | 'agrees') =>
    shows((c, first, page) => {
      c.excuses.entered(tab(page), first)
      c.excuses.disagree(1_000, inIt === 'disagrees' ? [tab(page)] : [])
    })
  excuse('of a session that a page was in as the pages ceased to agree', 'misplaced', isIn('disagrees'), {
    'it was another page': isIn('agrees'),
  })
})

describe('a conversation that is left,', () => {
  /** A page makes a session with a token that it holds. */
  const enters = async (c: Case) => c.service.create(await c.token(c.page()))
  /** `what` happens to the first of two sessions, and `which` is left. */
  const leaves =
    (what: (c: Case, session: Session) => unknown, which = 0): History =>
    async (c) => {
      const sessions = [await enters(c), await enters(c)]
      await what(c, sessions[0] as Session)
      return void c.leave(sessions[which] as Session)
    }
  const REASONS: Readonly<Record<string, (c: Case, session: Session) => unknown>> = {
    'by the visitor': (c, session) => c.excuses.left.add(session),
    'since another page threw it away': (c, session) => c.excuses.thrown.add(session),
    'which the service forgot': (c, session) => c.service.forget(session),
    'whose token was lost': (c, session) => c.network.doom(session.token),
    'whose token no page and no cookie holds any more': (c) => c.network.forget(c.tabs[0] as Shown),
    'which the service disowned': (c, session) => c.service.disown(session),
  }
  for (const [why, what] of Object.entries(REASONS))
    excuse(why, 'thrown', leaves(what), { 'it is another one': leaves(what, 1) })

  const refused = (ms: number, which = 0) =>
    leaves(async (c, session) => {
      c.service.mistreat(session)
      await c.pass(ms)
    }, which)
  excuse('which the service denied within the last minute', 'thrown', refused(MINUTE - 1), {
    'that was a minute ago': refused(MINUTE),
    'it is another one': refused(MINUTE - 1, 1),
  })

  const ages = (rest: number) => leaves((c, session) => c.pass(c.service.lifeOf(session.token) - rest))
  excuse('whose token lives for less than a minute', 'thrown', ages(MINUTE - 1), {
    'it lives for a minute': ages(MINUTE),
  })

  const unstored = (ms: number) =>
    leaves(async (c) => {
      fail(c)
      await c.pass(ms)
    })
  excuse('within 3 s after the stores took nothing', 'thrown', unstored(AGREED), {
    'it is left after that': unstored(AGREED + 1),
  })
  const entered = (ms: number, { isBefore = false, which = 0 } = {}) =>
    leaves(async (c, session) => {
      const enters = () => c.excuses.entered(tab(c.page()), session)
      if (isBefore) enters()
      fail(c)
      await c.pass(ms)
      if (!isBefore) enters()
      await c.pass(AGREED + 1)
    }, which)
  excuse('which was entered while the stores took nothing', 'thrown', entered(AGREED), {
    'it was entered after that': entered(AGREED + 1),
    'it was entered before that': entered(0, { isBefore: true }),
    'it is another one': entered(AGREED, { which: 1 }),
  })
  const sleeps = (awake: number, after: number) =>
    leaves(async (c) => {
      fail(c)
      await c.pass(awake)
      await c.pass(MINUTE)
      c.excuses.slept(MINUTE)
      await c.pass(after)
    })
  excuse(
    'within 3 s after a sleep that began while the stores took nothing',
    'thrown',
    sleeps(AGREED, 3_000),
    {
      'it is left after that': sleeps(AGREED, 3_001),
      'the stores worked before the sleep': sleeps(AGREED + 1, 3_000),
    },
  )
  /** Two pages get a token each, the second one so long after the stores failed. */
  const replaces =
    (ms: number): History =>
    async (c) => {
      const first = await enters(c)
      fail(c)
      await c.pass(ms - 16)
      await enters(c)
      await c.pass(2 * AGREED)
      return void c.leave(first)
    }
  excuse('whose token a page replaced within 3 s after the stores took nothing', 'thrown', replaces(AGREED), {
    'it was replaced after that': replaces(AGREED + 1),
  })

  /** A page hears of a sign-out, so long after which its session was made. */
  const signsOut =
    ({ ms = 10, fails = false, isIn = true }): History =>
    async (c) => {
      const page = c.page()
      const token = await c.token(page)
      if (fails) fail(c)
      c.excuses.signsOut([])
      await c.pass(ms)
      const session = c.service.create(token)
      await c.pass(MINUTE)
      if (isIn) c.excuses.entered(tab(page), session)
      c.excuses.signedOut(tab(page))
      return void c.leave(session)
    }
  excuse('which a page was in as it heard of a sign-out', 'thrown', signsOut({}), {
    'it was made 10 ms after that': signsOut({ ms: 11 }),
    'the page was in another one': signsOut({ isIn: false }),
  })
  excuse(
    'which a page was in as it heard of a sign-out that no store took',
    'thrown',
    signsOut({ ms: 20_000, fails: true }),
    {
      'a store took it': signsOut({ ms: 20_000 }),
    },
  )
})

describe('what is not shown', () => {
  /** A live page shows the first of two answers. */
  const shows =
    (
      pending: (
        c: Case,
        session: Session,
        page: Shown,
      ) => Partial<Pending> | undefined | Promise<Partial<Pending> | undefined>,
      status = 'live',
    ): History =>
    (c) => {
      const session = c.session()
      c.say(session, 'A1: one', 'A2: two')
      const page = c.page({ session })
      c.become(page, status)
      c.show(page, 'A1: one')
      return pending(c, session, page)
    }
  const until = (sequence: number, isOther = false) =>
    shows((c, session) => ({ untold: new Map([[isOther ? c.session() : session, sequence]]) }))
  excuse('since a hub lost it, which nothing tells yet', 'hidden', until(3), {
    'it came before that': until(4),
    'that was in another session': until(3, true),
  })

  /** A page, and maybe another one, which hear of a session until its hub loses what is said. */
  type Lost = {
    /** Beside the page, another one that the hub tells, before it or after it. */
    other?: 'awake' | 'frozen' | 'first'
    /** What happens beside it: an answer before, an event after it, or the page goes. */
    beside?: 'answer' | 'event' | 'gone'
    after?: number
  }
  const loses =
    ({ other, beside, after = MINUTE }: Lost): History =>
    async (c) => {
      const session = c.session()
      const page = c.page({ session })
      const second = other && c.page()
      c.become(page, 'live')
      for (const each of other === 'first' ? [second, page] : [page, second])
        if (each) await c.connect(each, session)
      if (beside === 'answer') c.say(session, 'A0: zero')
      c.network.mangles.push(...(other === 'first' ? (['repeat', 'lose'] as const) : (['lose'] as const)))
      c.say(session, 'A1: one')
      if (second) second.frozen = other === 'frozen'
      if (beside === 'event') c.service.publish(session, 'EVENT_TYPE_FROM_NEXT_YEAR')
      await c.pass(after)
      page.alive = beside !== 'gone'
      return { untold: c.network.untold() }
    }
  excuse('since a hub lost the last that happened', 'hidden', loses({}), {
    'something happened after it': loses({ beside: 'event', after: 0 }),
    'it came before that': loses({ beside: 'answer' }),
    'its page is gone': loses({ beside: 'gone' }),
  })
  for (const other of ['awake', 'first'] as const)
    excuse(
      `since another page (${other}) heard of it, and has not told yet`,
      'hidden',
      loses({ other, after: 4_999 }),
      { 'that was 5 s ago': loses({ other, after: 5_000 }) },
    )
  excuse('since another page heard of it, and stands still', 'hidden', loses({ other: 'frozen' }), {
    'that page runs': loses({ other: 'awake' }),
  })

  const over = (
    is: Partial<Session>,
    troubledAt = 0,
    status = 'expired',
    state: Session['state'] = 'expired',
  ) =>
    shows((_, session, page) => {
      Object.assign(session, { state, overAt: 0, ...is })
      page.troubledAt = troubledAt
      return undefined
    }, status)
  excuse(
    'of a session that was over for more than ten minutes as somebody came back',
    'hidden',
    over({}, 600_001),
    {
      'it was over for ten minutes': over({}, 600_000),
      'it still goes on': over({}, 600_001, 'expired', 'active'),
    },
  )
  excuse('of a session that could not be asked how it ended', 'hidden', over({ unasked: true }), {
    'it could be': over({}),
    'it still goes on': over({ unasked: true }, 0, 'expired', 'active'),
  })
  excuse(
    'of a session that the service disowned',
    'hidden',
    over({ disowned: true }, 0, 'expired', 'active'),
    {
      'its page is live in it': over({ disowned: true }, 0, 'live', 'active'),
      'the service did not': over({}, 0, 'expired', 'active'),
    },
  )
  const leaves = (isOther: boolean) =>
    shows((c, session) => void c.excuses.left.add(isOther ? c.session() : session))
  excuse('of a session that the visitor left', 'hidden', leaves(false), {
    'that was another one': leaves(true),
  })

  const counts = (status: string, pages: number) =>
    shows((c) => {
      for (let count = 1; count < pages; count++) c.page()
      return undefined
    }, status)
  const silent = { idleSeconds: undefined }
  excuse(
    'of a session that one of two pages counts as expired, where the service does not say when it does',
    'hidden',
    [silent, counts('expired', 2)],
    {
      'the service says so': counts('expired', 2),
      'no other page counts': [silent, counts('expired', 1)],
      'the page is live': [silent, counts('live', 2)],
    },
  )
  const aside = (isOther: boolean) =>
    shows((_, __, page) => ({ isAside: (each) => (each === tab(page)) !== isOther }))
  excuse('in a page that looks on', 'hidden', aside(false), { 'another page looks on': aside(true) })
})

describe('a page that waits', () => {
  const waits =
    (pending: (page: Shown) => Partial<Pending>, item?: string): History =>
    (c) => {
      const page = c.page({ session: c.session() })
      c.become(page, 'reconnecting')
      if (item) c.write(page, item)
      return pending(page)
    }
  const isAt = (page: Shown) => (each: unknown) => each === page
  excuse(
    'for an act of the visitor, with a message',
    'stuck',
    waits((page) => ({ waits: isAt(page) }), 'one'),
    {
      'another page does': waits((page) => ({ waits: (each) => !isAt(page)(each) })),
    },
  )
  excuse(
    'and looks on',
    'stuck',
    waits((page) => ({ isAside: isAt(page) })),
    {
      'another page looks on': waits((page) => ({ isAside: (each) => !isAt(page)(each) })),
      'a message waits in it': (c) => {
        const pending = waits((page) => ({ isAside: isAt(page) }))(c)
        c.write(c.tabs[0] as Shown, { id: 'one', text: 'one', state: 'failed', tries: 1 }, 'two')
        c.store(c.session(), 'two')
        return pending
      },
    },
  )

  type Position = {
    status?: string
    visible?: boolean
    socket?: boolean
    session?: boolean
    /** The other page: what it is, how long ago it became that after it was live, and whether it is in the same session. */
    other?: string
    ago?: number
    isSame?: boolean
    otherRests?: boolean
    connections?: number
  }
  /** One page that waits, and another one that may go on for it. */
  const beside =
    (
      by: 'isAside' | 'isCrowdedOut' | 'waits',
      position: Position,
      more: (c: Case, pages: Shown[]) => unknown = () => {},
    ): History =>
    async (c) => {
      const {
        status = 'unavailable',
        visible = true,
        session = true,
        other = 'live',
        ago = 0,
        isSame = true,
      } = position
      const [own, another] = [c.session(), c.session()]
      const page = c.page({ visible, ...(session && { session: own }) })
      const second = c.page({ session: isSame ? own : another })
      if (position.socket) page.sockets.add({ readyState: 0 } as PageSocket)
      c.become(page, 'connecting')
      c.become(second, 'live')
      if (other !== 'live') c.become(second, other)
      if (position.otherRests) second.visible = false
      for (let count = 0; count < (position.connections ?? 0); count++)
        own.connections.add({ session: own } as never)
      await more(c, [page, second])
      c.become(page, status)
      await c.pass(ago)
      return { [by]: c.onlookers[by], ...(by === 'isCrowdedOut' && { isAside: c.onlookers.isCrowdedOut }) }
    }
  const hidden = { status: 'reconnecting', visible: false }
  excuse(
    'hidden, without a socket, while another one is live in its session',
    'stuck',
    beside('isAside', hidden),
    {
      'it can be seen': beside('isAside', { ...hidden, visible: true }),
      'it has a socket': beside('isAside', { ...hidden, socket: true }),
      'the other one is live in another session': beside('isAside', { ...hidden, isSame: false }),
      'the other one is hidden without a socket too': beside('isAside', { ...hidden, otherRests: true }),
      'it was itself the last that was live': beside(
        'isAside',
        { ...hidden, other: 'ended' },
        (c, [page]) => {
          c.become(page as Shown, 'live')
        },
      ),
    },
  )
  excuse(
    'hidden, while another one was live within the last minute',
    'stuck',
    beside('isAside', { ...hidden, other: 'ended', ago: MINUTE - 1 }),
    {
      'that was a minute ago': beside('isAside', { ...hidden, other: 'ended', ago: MINUTE }),
    },
  )
  excuse('and has given up, while another one is live in its session', 'stuck', beside('isAside', {}), {
    'the other one is live in another session': beside('isAside', { isSame: false }),
    'it has not given up': beside('isAside', { status: 'reconnecting' }),
  })
  excuse(
    'and has given up before it had a session, while another one is live',
    'stuck',
    beside('isAside', { session: false }),
    {
      'the other one is not live': beside('isAside', { session: false, other: 'ended' }),
    },
  )
  excuse(
    'though it was used, since its session takes no more sockets',
    'stuck',
    beside('isCrowdedOut', { connections: 10 }),
    {
      'the session takes one more': beside('isCrowdedOut', { connections: 9 }),
      'no other page is live in it': beside('isCrowdedOut', { connections: 10, isSame: false }),
    },
  )

  const lonely: Position = { isSame: false, other: 'ended' }
  const refusedEarly = (isRefused: boolean) =>
    beside(
      'waits',
      lonely,
      (c) => isRefused && c.service.mistreat(c.service.sessions.values().next().value as Session),
    )
  const refused = (status: string, lived: number) =>
    beside('waits', { ...lonely, status }, async (c, [page]) => {
      await c.pass(10)
      c.service.mistreat(c.service.sessions.values().next().value as Session)
      await c.pass(lived)
      if (lived >= 0) c.become(page as Shown, 'live')
    })
  excuse('and has given up, since it was refused', 'stuck', refused('unavailable', 0), {
    'it was live after that': refused('unavailable', 1),
    'it has not given up': refused('reconnecting', 0),
  })
  excuse(
    'and has given up before it was ever live, since a session was refused',
    'stuck',
    refusedEarly(true),
    {
      'none was': refusedEarly(false),
    },
  )
  const lost = (position: Position, isDoomed = true) =>
    beside('waits', position, async (c, [page, second]) => {
      c.become(page as Shown, 'live')
      c.become(second as Shown, position.other ?? 'live')
      if (isDoomed) c.network.doom((c.service.sessions.values().next().value as Session).token)
    })
  excuse('and has given up, since the browser lost the token of a session that goes on', 'stuck', lost({}), {
    'the token is there': lost({}, false),
    'no page goes on in the session': lost({ isSame: false }),
    'it has not given up': lost({ status: 'reconnecting' }),
  })
  const silent = (heartbeatSeconds: number, isDead: boolean): Elsewhere => [
    { heartbeatSeconds },
    beside('waits', { ...lonely, status: 'reconnecting' }, (c) =>
      c.network.sockets.add({ dead: isDead } as PageSocket),
    ),
  ]
  excuse('for a path that went silent, where the service wants no heartbeats', 'stuck', silent(0, true), {
    'the service wants heartbeats': silent(30, true),
    'no path went silent': silent(0, false),
  })
})

describe('pages in different conversations', () => {
  const apart =
    (isUsed: boolean): History =>
    (c) => {
      for (let count = 0; count < 2; count++) {
        const session = c.session()
        c.become(c.page({ session }), 'live')
        c.excuses.left.add(session)
      }
      return { isUsed }
    }
  excuse('until the visitor has used each of them', 'split', apart(false), { 'each was used': apart(true) })
})
