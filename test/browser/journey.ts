// One whole visit, from the launcher to the rating and the next chat, as a person makes it. After every step the newest line can be
// read, and the focus is recorded.

import { expect } from 'vitest'
import { de } from '../../src/ui/locales/de.ts'
import { eventually, KEYS } from './engine.ts'
import { CHIPS, type FrontDesk, GREETING, PERSON, RETURNS, SARAH, STORY } from './front-desk.ts'
import type { Person } from './person.ts'

/** Where the focus is after each step. */
export type Stops = [step: string, focus: string][]

const PATIENCE = 30_000
/** The last words of an answer. */
const END = 'more about the repair.'

export async function journey(
  person: Person,
  desk: FrontDesk['desk'],
): Promise<{ stops: Stops; order: string[] }> {
  const stops: Stops = []
  /** A step is over when its last line can be read and the focus has come to rest. */
  const done = async (step: string) => {
    await person.readsOn()
    stops.push([step, await person.focus()])
  }
  const menu = async (...names: string[]) => {
    await person.use('button', 'More')
    for (const name of names) await person.use('menuitem', name)
  }
  const waiting = () =>
    eventually(async () => {
      const entry = (await desk.entries()).find(({ state }) => state === 'waiting')
      if (!entry) throw new Error('Nobody waits')
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
  await person.focusIs(person.opened)
  await done('open')

  await person.say('Hello there')
  await person.hears(END)
  await person.sees('button', CHIPS[0] ?? '')
  await done('ask')
  const order = person.hands === 'keys' ? await person.order('button', 'Close chat') : []

  await person.use('button', CHIPS[0] ?? '')
  await person.hears(END, 2)
  await person.sees('button', CHIPS[0] ?? '')
  await done('choose a suggestion')
  await person.use('button', /^\+\d suggestions?$/)
  await done('unfold the suggestions')
  await person.use('button', CHIPS.at(-1) ?? '', { ahead: true })
  await person.hears(RETURNS)
  await done('choose one that was folded')

  await person.say(STORY)
  await person.hears('On day 3')
  await done('read while it streams')
  await person.use('button', 'Stop answering', { ahead: true })
  await person.hears('Stopped')
  await done('stop an answer')
  await person.use('button', 'Good answer')
  await eventually(async () => expect(await person.pressed('button', 'Good answer')).toBe('true'), PATIENCE)
  await done('rate an answer')

  await menu('Search this chat')
  await person.write('searchbox', 'Search this chat', 'Monday')
  await person.reads('2 of 2')
  await person.use('button', 'Close search', { ahead: true })
  stops.push(['search', await person.focus()])
  await menu('Language')
  await person.use('menuitemradio', 'Deutsch')
  await person.sees('textbox', de.message)
  stops.push(['take another language', await person.focus()])
  await person.use('button', de.menu)
  await person.use('menuitem', de.languages)
  await person.use('menuitemradio', 'English')
  await person.sees('textbox', 'Message')
  stops.push(['take the first one again', await person.focus()])
  await person.keepsFiles()
  await menu('Download as text')
  await eventually(
    async () => expect(await person.files()).toEqual([expect.stringContaining(RETURNS)]),
    PATIENCE,
  )
  stops.push(['download', await person.focus()])

  await personWaits()
  await done('wait for a person')
  await person.use('button', 'Leave the queue')
  await person.hears('You left the queue')
  await done('leave the queue')
  const id = await personWaits()
  expect(await desk.take(id, SARAH)).toBe(true)
  await person.hears('Sarah joined')
  await person.reads('You’re talking to a person')
  await person.gone('button', 'Leave the queue')
  await done('be taken by a person')
  await desk.type(id, SARAH.id, true)
  await person.reads('Typing…')
  await desk.answer(id, SARAH.id, 'Hello, this is Sarah. **How** can I help?')
  await person.hears('How can I help?')
  await done('hear from a person')
  await person.say('Thank you, Sarah')
  await eventually(async () => {
    expect((await desk.lines(id)).at(-1)).toMatchObject({ from: 'visitor', text: 'Thank you, Sarah' })
  }, PATIENCE)
  await done('answer a person')
  // Older answers have links, tables and tools of their own. The log is one stop nevertheless.
  if (person.hands === 'keys')
    expect(await person.order('button', 'Close chat')).toEqual([
      'textbox Message',
      'region Conversation',
      'button Close chat',
    ])

  await menu('End chat', 'End this chat now?')
  await person.sees('button', 'Start a new chat')
  await person.sees('radio', '4 stars')
  await done('end the chat')
  await person.choose('4 stars', /star/)
  await person.write('textbox', 'Anything to add? (optional)', 'Quick')
  await person.use('button', 'Send rating', { ahead: true })
  await person.reads('Thank you for your rating.')
  await done('rate the chat')
  await person.use('button', 'Start a new chat')
  await person.hears('A new chat starts here')
  await person.hears(GREETING, 2)
  await person.sees('button', CHIPS[0] ?? '')
  await done('start a new chat')

  if (person.hands === 'keys') await person.window.press(KEYS.escape)
  else await person.use('button', 'Close chat')
  await person.sees('button', 'Open chat')
  await person.focusIs('button Open chat')
  stops.push(['minimise', await person.focus()])
  await person.use('button', 'Open chat')
  await person.hears(GREETING, 2)
  await person.focusIs(person.opened)
  await done('open it again')
  return { stops, order }
}
