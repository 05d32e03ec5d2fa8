// One whole visit, from the launcher to the rating and the next chat, as a person makes it. After every step the newest line can be
// read, and the focus is where it belongs.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { words as de } from '../../src/ui/locales/de.ts'
import { type Engine, eventually, KEYS } from './engine.ts'
import {
  CHIPS,
  type FrontDesk,
  GREETING,
  PERSON,
  RETURNS,
  SARAH,
  STORY,
  startFrontDesk,
} from './front-desk.ts'
import { type Hands, type Isolation, type Person, personAt } from './person.ts'

const PATIENCE = 60_000
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
/** The last words of an answer. */
const END = 'more about the repair.'

const FIELD = 'textbox Message'
const LOG = 'region Conversation'
const AGAIN = 'button Start a new chat'

type Browser = {
  start(): Promise<Engine>
  /** The engine is not on this machine: its visits are skipped, and the suite says so. */
  missing?: boolean
}
type Visit = { hands: Hands; size: keyof typeof SIZES; isolations: readonly Isolation[] }

/** Registers the visits of one engine as tests: in one browser, which keeps what belongs to one desk apart from the next one's. */
export function visits(name: string, { start, missing }: Browser, all: readonly Visit[]): void {
  describe(name, () => {
    let engine: Engine
    beforeAll(async () => {
      if (!missing) engine = await start()
    }, 240_000)
    afterAll(() => engine?.close(), 120_000)

    describe.each(all)('a $size by $hands', ({ hands, size, isolations }) => {
      let desk: FrontDesk
      beforeAll(async () => {
        if (!missing) desk = await startFrontDesk({ settings: { rating: 'stars' } })
      }, 240_000)
      afterEach(() => desk?.clear())
      afterAll(() => desk?.close(), 120_000)

      it.skipIf(missing).each(isolations)(
        'goes the whole way, isolation %s',
        { timeout: 300_000 },
        async (isolation) => {
          const window = await engine.open({ ...SIZES[size], touch: hands === 'touch' })
          await window.go(desk.address[isolation])
          // On a phone a focused field would raise the keyboard over the greeting.
          const first = size === 'phone' ? 'dialog Chat' : FIELD
          await journey(personAt(window, isolation, hands, first), desk.desk, size === 'phone')
          await window.close()
        },
      )
    })
  })
}

async function journey(person: Person, desk: FrontDesk['desk'], isPhone: boolean): Promise<void> {
  const hasKeys = person.hands === 'keys'
  /** Where the focus goes from a control that is used up. */
  const on = isPhone ? LOG : FIELD
  /** A step is over when its last line can be read and the focus has come to rest. */
  const done = async (step: string, focus: string | RegExp) => {
    await person.readsOn(step)
    await person.focusIs(focus, step)
  }
  const menu = async (...names: string[]) => {
    await person.use('button', 'More')
    for (const name of names) await person.use('menuitem', name)
  }
  const waiting = () =>
    eventually(async () => {
      const entry = (await desk.entries()).find(({ state }) => state === 'waiting')
      if (!entry) throw new Error('Nobody is waiting')
      return entry.id
    }, PATIENCE)

  const personWaits = async () => {
    await person.say(PERSON)
    const id = await waiting()
    await person.reads('You’re number 1 in the queue')
    await person.sees('button', 'Leave the queue')
    return id
  }

  await person.use('button', 'Open chat', { ahead: true })
  await person.hears(GREETING)
  await person.sees('button', CHIPS[0] ?? '')
  await done('open', person.opened)

  await person.say('Hello there')
  await person.hears(END)
  await person.sees('button', CHIPS[0] ?? '')
  await done('ask', FIELD)
  // What comes with the end of an answer, and in requests of its own.
  await person.sees('button', 'Bad answer')
  await person.sees('button', /^\+\d suggestions?$/)
  // Back from the composer, and forward again. How many suggestions fit depends on the font.
  if (hasKeys) {
    const order = await person.order('button', 'Close chat')
    const isChip = (stop: string) => CHIPS.some((chip) => stop === `button ${chip}`)
    expect(order.filter(isChip)).not.toEqual([])
    expect(
      order.filter((stop) => !isChip(stop)).map((stop) => stop.replace(/^div Model.*/, 'a table')),
    ).toEqual([
      FIELD,
      expect.stringMatching(/^button \+\d suggestions?$/),
      'button Bad answer',
      'button Good answer',
      'button Copy answer',
      'a table',
      LOG,
      'button Close chat',
    ])
  }

  await person.use('button', CHIPS[0] ?? '')
  await person.hears(END, 2)
  await person.sees('button', CHIPS[0] ?? '')
  await done('choose a suggestion', on)
  await person.use('button', /^\+\d suggestions?$/)
  await done('unfold the suggestions', /^button [A-Z]/)
  await person.use('button', CHIPS.at(-1) ?? '', { ahead: true })
  await person.hears(RETURNS)
  await done('choose one that was folded', on)

  await person.say(STORY)
  await person.hears('On day 3')
  await done('read while it streams', FIELD)
  await person.use('button', 'Stop answering', { ahead: true })
  await person.hears('Stopped')
  await done('stop an answer', 'button Send')
  await person.use('button', 'Good answer')
  await eventually(async () => expect(await person.pressed('button', 'Good answer')).toBe('true'), PATIENCE)
  await done('rate an answer', 'button Good answer')

  await menu('Search this chat')
  await person.focusIs('searchbox Search this chat', 'open the search')
  await person.write('searchbox', 'Search this chat', 'Monday')
  await person.reads('2 of 2')
  await person.use('button', 'Close search', { ahead: true })
  await person.focusIs('button More', 'search')
  await menu('Language')
  await person.use('menuitemradio', 'Deutsch')
  await person.sees('textbox', de.message)
  await person.focusIs(`button ${de.menu}`, 'take another language')
  await person.use('button', de.menu)
  await person.use('menuitem', de.languages)
  await person.use('menuitemradio', 'English')
  await person.sees('textbox', 'Message')
  await person.focusIs('button More', 'take the first one again')
  await person.keepsFiles()
  await menu('Download as text')
  await eventually(
    async () => expect(await person.files()).toEqual([expect.stringContaining(RETURNS)]),
    PATIENCE,
  )
  await person.focusIs('button More', 'download')

  await personWaits()
  await done('wait for a person', FIELD)
  await person.use('button', 'Leave the queue')
  await person.hears('You left the queue')
  await done('leave the queue', on)
  const id = await personWaits()
  expect(await desk.take(id, SARAH)).toBe(true)
  await person.hears('Sarah joined')
  await person.reads('You’re talking to a person')
  await person.gone('button', 'Leave the queue')
  await done('be taken by a person', FIELD)
  await desk.type(id, SARAH.id, true)
  await person.reads('Typing…')
  await desk.answer(id, SARAH.id, 'Hello, this is Sarah. **How** can I help?')
  await person.hears('How can I help?')
  await done('hear from a person', FIELD)
  await person.say('Thank you, Sarah')
  await eventually(async () => {
    expect((await desk.lines(id)).at(-1)).toMatchObject({ from: 'visitor', text: 'Thank you, Sarah' })
  }, PATIENCE)
  await done('answer a person', FIELD)
  // Older answers have links, tables and tools of their own. The log is one stop nevertheless.
  if (hasKeys) expect(await person.order('button', 'Close chat')).toEqual([FIELD, LOG, 'button Close chat'])

  await menu('End chat')
  await person.use('button', 'End chat')
  await person.sees('button', 'Start a new chat')
  await person.sees('radio', '4 stars')
  await done('end the chat', AGAIN)
  await person.choose('4 stars', /star/)
  await person.write('textbox', 'Anything to add? (optional)', 'Quick')
  await person.use('button', 'Send rating', { ahead: true })
  await person.reads('Thank you for your rating.')
  await done('rate the chat', isPhone ? LOG : AGAIN)
  await person.use('button', 'Start a new chat', { ahead: isPhone })
  await person.hears('A new chat starts here')
  await person.hears(GREETING, 2)
  await person.sees('button', CHIPS[0] ?? '')
  await done('start a new chat', FIELD)

  if (hasKeys) await person.window.press(KEYS.escape)
  else await person.use('button', 'Close chat')
  await person.sees('button', 'Open chat')
  await person.focusIs('button Open chat', 'minimise')
  await person.use('button', 'Open chat')
  await person.hears(GREETING, 2)
  await done('open it again', person.opened)
}
