import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGuide, type GuideOptions } from '../../src/agents/guide/guide.ts'
import { words } from '../../src/agents/guide/words.ts'
import { HANDOFF_REASON } from '../../src/agents/phrases.ts'
import { readPassages } from '../../src/agents/search/passages.ts'
import { createSearchIndex } from '../../src/agents/search/search-index.ts'
import type { AgentEvent, Turn } from '../../src/runtime/index.ts'
import { turnOf } from './turn.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-guide-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What the guide offers beside each message that no file gave. */
const OFFER = 'Show me around'

async function ask(text: string, more?: Partial<Turn>, handsOff = true, options: Partial<GuideOptions> = {}) {
  const guide = await createGuide({ folder, handsOff, offer: OFFER, ...options })
  const events: AgentEvent[] = []
  for await (const event of guide.act(turnOf(text, more))) events.push(event)
  guide.close()
  return { events, said: events.map((event) => (event.type === 'text' ? event.text : '')).join('') }
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

describe('the guide', () => {
  it.each([
    ['de-AT', 'Hallo'],
    ['fr', 'Bonjour'],
    ['en-GB', 'Hello'],
    // It does not know the language: most of its files decide.
    ['ja', 'Hello'],
    [undefined, 'Hello'],
  ])('greets in the language of the panel: %s', async (language, word) => {
    write('shop.md', '# The shop\n\n## When do we open?\n\nWe open at nine.')
    expect((await ask('', { language })).said).toContain(word)
  })

  it('says of itself that it answers without a model', async () => {
    const guide = await createGuide({ folder })
    guide.close()
    expect(guide.answers).toBe('automatic')
  })

  it('answers in the language in which the visitor writes, whatever that of the panel', async () => {
    write('shop.md', '# The shop\n\n## When do we open?\n\nWe open at nine.')
    expect((await ask('Thank you very much!', { language: 'de' })).said).not.toMatch(/gern|bitte/i)
    expect((await ask('Merci beaucoup !', { language: 'de' })).said).toMatch(/avec plaisir|de rien|je vous/i)
  })

  it('answers from the passage that fits, and names the file and the heading', async () => {
    write(
      'bikes.md',
      '# Bikes\n\n## Opening hours\n\nWe open at nine.\n\n## Repairs\n\nA flat tyre takes an hour.',
    )
    write('prices.md', '# Prices\n\nA tyre costs 20.')
    const { said, events } = await ask('How long does it take to repair a flat tyre?')
    expect(said).toContain('A flat tyre takes an hour.')
    expect(said).toContain('`bikes.md`')
    expect(said).toContain('“Repairs”')
    expect(events[0]).toEqual({ type: 'thinking' })
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      suggestions: expect.arrayContaining([{ message_text: 'Opening hours' }]),
    })
  })

  it('finds another form of a word, and the beginning of a word', async () => {
    write('a.md', '# Returns\n\nReturning a bicycle is free within thirty days.')
    expect((await ask('can I return my bicycles?')).said).toContain('within thirty days')
  })

  describe('in doubt', () => {
    const long = `It is quiet here. ${'Lanterns hang in rows. '.repeat(40)}`
    beforeEach(() =>
      write(
        'shop.md',
        `# Shop\n\n## How to rent a bicycle\n\nAsk at the desk for a basket. Baskets are free.\n\n${long}\n\n## How to buy a helmet\n\nA basket costs extra.\n\n${long}\n\n## How to paint a frame\n\nNobody needs an easel.`,
      ),
    )

    it('the guide says so, shows the best passage shortened, and names the next passages', async () => {
      const { said, events } = await ask('what about a basket?')
      expect(said.startsWith(words.inDoubt(''))).toBe(true)
      expect(said).toContain('Ask at the desk for a basket.')
      expect(said).not.toContain('Lanterns')
      expect(said).toContain(words.orMeant(''))
      const { suggestions = [] } = events.findLast((event) => event.type === 'finish') ?? {}
      expect(suggestions[0]).toEqual({ message_text: 'How to buy a helmet' })
    })

    it('the guide names the next passages in an SMS, which has no buttons', async () => {
      const { said } = await ask('what about a basket?', { channel: 'SMS' })
      expect(said).toContain(words.orMeant('“How to buy a helmet”'))
    })

    it('the guide names a passage whose block is too long to shorten, and offers it first', async () => {
      const table = `| Basket | Basket |\n| - | - |\n${'| lanterns | rows |\n'.repeat(80)}`
      write(
        'shop.md',
        `# Shop\n\n## How to rent a bicycle\n\n${table}\n\n## How to buy a helmet\n\nA basket. ${long}`,
      )
      const { said, events } = await ask('what about a basket?')
      expect(said.startsWith(words.inDoubt(''))).toBe(true)
      expect(said).toContain('**How to rent a bicycle**')
      expect(said).not.toContain('lanterns')
      const { suggestions = [] } = events.findLast((event) => event.type === 'finish') ?? {}
      expect(suggestions[0]).toEqual({ message_text: 'How to rent a bicycle' })
    })

    it('the guide then offers or names every other passage too', async () => {
      const table = `| Basket | Basket |\n| - | - |\n${'| lanterns | rows |\n'.repeat(80)}`
      const next = ['buy a helmet', 'paint a frame', 'mend a chain']
      write(
        'shop.md',
        `# Shop\n\n## How to rent a bicycle\n\n${table}\n\n## How to greet\n\nHello.\n\n${next.map((each) => `## How to ${each}\n\nA basket. ${long}`).join('\n\n')}`,
      )
      const { said, events } = await ask('what about a basket?')
      const { suggestions = [] } = events.findLast((event) => event.type === 'finish') ?? {}
      const shown = `${said} ${suggestions.map(({ message_text }) => message_text).join(' ')}`
      for (const each of ['rent a bicycle', ...next]) expect(shown).toContain(each)
    })

    it('the guide answers without doubt when a heading matches the question', async () => {
      const { said } = await ask('How do I buy a helmet?')
      expect(said.startsWith(words.inDoubt(''))).toBe(false)
      expect(said).toContain('A basket costs extra.')
    })

    it('the guide answers without doubt when only one passage has the word', async () => {
      const { said } = await ask('what about an easel?')
      expect(said.startsWith(words.inDoubt(''))).toBe(false)
    })

    it('the guide continues with the next passage when the visitor asks for more', async () => {
      const { events } = await ask('what about a basket?')
      const memory = Object.assign(
        {},
        ...events.map((event) => (event.type === 'remember' ? event.memory : {})),
      )
      const { said } = await ask('more', { memory })
      expect(said).toContain('A basket costs extra.')
    })
  })

  it('finds passages by words of other languages', async () => {
    write(
      'a.md',
      '# Öffnungszeiten\n\nWir öffnen um neun Uhr.\n\n# Reparaturen\n\nEin Reifen dauert eine Stunde.',
    )
    expect((await ask('Wie sind die Öffnungszeiten?')).said).toContain('um neun Uhr')
  })

  it('says that it found nothing, and suggests topics', async () => {
    write('a.md', '# Bikes\n\nWe sell bicycles.')
    const { said, events } = await ask('quantum chromodynamics')
    expect(said).toContain('I found nothing')
    expect(events.at(-1)).toMatchObject({
      suggestions: [{ message_text: words.person }, { message_text: 'Bikes' }, { message_text: OFFER }],
    })
  })

  it('says that it found nothing in an empty folder', async () => {
    expect((await ask('anything')).said).toContain(words.nothing)
    expect((await ask('')).said).toBe(words.helloUnready)
  })

  it('reads changed and new files, and forgets deleted files', async () => {
    write('a.md', '# Colour\n\nThe bicycle is red.')
    const guide = await createGuide({ folder })
    const say = async (text: string) => {
      let said = ''
      for await (const event of guide.act(turnOf(text))) if (event.type === 'text') said += event.text
      return said
    }
    expect(await say('which colour?')).toContain('red')
    write('a.md', '# Colour\n\nThe bicycle is blue.')
    utimesSync(join(folder, 'a.md'), new Date(), new Date(Date.now() + 5_000))
    await vi.waitFor(async () => expect(await say('which colour?')).toContain('blue'))
    rmSync(join(folder, 'a.md'))
    await vi.waitFor(async () => expect(await say('which colour?')).toContain('I don’t know'))
    guide.close()
  })

  it('reads files below its folder, and none outside', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'foyer-outside-'))
    writeFileSync(join(outside, 'secret.md'), '# Secret\n\nThe vault code is hidden.')
    mkdirSync(join(folder, 'deep'))
    writeFileSync(join(folder, 'deep', 'b.md'), '# Deep\n\nDown here is a lantern.')
    symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'))
    symlinkSync(outside, join(folder, 'linked'))
    expect((await ask('lantern')).said).toContain('`deep/b.md`')
    expect((await ask('vault code')).said).toContain('found nothing')
    rmSync(outside, { recursive: true })
  })

  it('keeps code whole when it shortens a passage', async () => {
    write('a.md', `# Code\n\n${'word '.repeat(200)}\n\n\`\`\`js\n${'x()\n'.repeat(300)}\`\`\`\n`)
    const { said } = await ask('code')
    expect(said.match(/```/g)?.length ?? 0).toBe(0)
    expect(said.length).toBeLessThan(1_700)
  })

  it('sends its answer word by word, and greets a visitor who joins', async () => {
    write('a.md', '# Bikes\n\nWe sell bicycles.')
    const { events, said } = await ask('')
    expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(5)
    expect(said).toBe(words.hello)
  })
})

describe('media, a location or a button from a phone', () => {
  beforeEach(() => write('a.md', '# Metadata\n\nA location and a button are metadata.'))
  const rcs = (text: string, metadata: object = {}) => ask(text, { channel: 'RCS', attributes: { metadata } })

  it.each(['<media/>', '<location/>', '<button/>', '<media/><location/>'])(
    'gets a thank-you when the message has only %s',
    async (tags) => {
      const { said, events } = await rcs(`<metadata>${tags}</metadata>`)
      expect(said).toBe(words.noWords)
      expect((await ask(`<metadata>${tags}</metadata>`, { channel: 'SMS' })).said).toBe(words.noWords)
      expect(events.at(-1)).toMatchObject({ type: 'finish', suggestions: [{}, {}] })
    },
  )

  it('leaves the text of the message as it is', async () => {
    expect((await rcs('carbon frames?\n<metadata><media/></metadata>')).said).toContain('I found nothing')
  })

  it('counts as the text of the button that was tapped', async () => {
    const button = { payload: 'person', text: words.person, type: 'reply' }
    const { events } = await rcs('<metadata><button/></metadata>', { button })
    expect(events.at(-1)).toMatchObject({ type: 'handoff' })
  })

  it('has no meaning in a chat, where a visitor types the same marker', async () => {
    expect((await ask('<metadata><location/></metadata>')).said).toContain('location and a button')
  })
})

/** What visitors say who want a person. */
const PERSON_PHRASES = [
  'talk to a person',
  'talk to a human',
  'talk to a real',
  'talk to somebody',
  'talk to someone',
  'talk with a person',
  'talk with a human',
  'speak to a person',
  'speak to a human',
  'speak to a real',
  'speak to somebody',
  'speak to someone',
  'speak with a person',
  'speak with a human',
  'chat with a human',
  'chat with a person',
  'real person',
  'real human',
  'human agent',
  'live agent',
  'human being',
  'mit einem menschen',
  'mit einer person sprechen',
  'mit jemandem sprechen',
  'mit einem mitarbeiter',
  'mit einer mitarbeiterin',
  'echten menschen',
  'parler à une personne',
  "parler à quelqu'un",
  'parler à un humain',
  'parler à un conseiller',
  'hablar con una persona',
  'hablar con alguien',
  'hablar con un agente',
  'parlare con una persona',
  'parlare con un operatore',
  'التحدث مع شخص',
  'التحدث إلى شخص',
  'أريد التحدث مع إنسان',
]

describe('asking the guide for a live agent', () => {
  it('is announced, completes the message, and hands off to the desk with the question', async () => {
    const history: Turn['history'] = [
      { role: 'agent', text: 'Hello!' },
      { role: 'visitor', text: 'Can you mend a carbon frame?' },
      { role: 'agent', text: 'I found nothing about that.' },
      { role: 'visitor', text: 'thanks' },
      { role: 'visitor', text: 'talk to somebody' },
    ]
    const { events, said } = await ask('I want to talk to a person, please!', { history })
    expect(said).toBe(words.handoff)
    expect(events.at(-2)).toEqual({ type: 'finish' })
    expect(events.at(-1)).toEqual({
      type: 'handoff',
      queueName: 'front desk',
      reason: HANDOFF_REASON,
      data: {
        request: 'I want to talk to a person, please!',
        last_question: 'Can you mend a carbon frame?',
      },
    })
  })

  const types = async (text: string, more?: Partial<Turn>) =>
    (await ask(text, more)).events.map((event) => event.type)

  it.each([...PERSON_PHRASES, words.person])('is recognised in “%s”', async (phrase) => {
    const { events } = await ask(phrase)
    expect(events).toContainEqual(expect.objectContaining({ type: 'handoff', queueName: 'front desk' }))
  })

  it.each([
    ['in capitals', 'TALK TO A HUMAN'],
    ['with a curly apostrophe', 'Je voudrais parler à quelqu’un'],
    ['with letters and accents apart', 'parler à une personne'.normalize('NFD')],
    ['over two lines', 'I want to talk\nto a person'],
  ])('is recognised %s', async (_, text) => {
    expect(await types(text)).toContain('handoff')
  })

  it.each(['Can I talk to a personal trainer?', 'Are there unreal personalities?', 'persons'])(
    'is not recognised in “%s”',
    async (text) => {
      expect(await types(text)).not.toContain('handoff')
    },
  )

  it.each(['SMS', 'RCS'] as const)('works by %s', async (channel) => {
    expect(await types('a real person', { channel })).toContain('handoff')
  })

  it('is a question like any other without a desk, and is not offered', async () => {
    const { events, said } = await ask('I want to talk to a real person', {}, false)
    expect(said).toContain('I don’t know')
    expect(events.at(-1)).toMatchObject({ type: 'finish', suggestions: [{ message_text: OFFER }] })
  })

  it.each([
    ['without a desk', false, undefined],
    ['while nobody is at it', true, { here: 0, waitSeconds: 60, refuses: true }],
  ])('gets the operator’s way to reach a person %s, in the visitor’s language', async (_, handsOff, desk) => {
    const contact = { de: 'ruf an: +49 30 1234', '*': '[write to us](https://shop.example.com/contact)' }
    const asked = (text: string) => ask(text, { desk }, handsOff, { contact })
    const english = await asked('I want to talk to a real person')
    expect(english.said).toContain('reach a person: [write to us](https://shop.example.com/contact)')
    expect(english.said.includes('Nobody is here')).toBe(handsOff)
    expect(english.events.some(({ type }) => type === 'handoff')).toBe(false)
    expect((await asked('Ich möchte mit einem Menschen sprechen')).said).toContain('ruf an: +49 30 1234')
    expect((await asked('quantum chromodynamics')).said).toContain('write to us')
    const accepted = await ask('yes', { desk, memory: { offer: 'person' } }, handsOff, { contact })
    expect(accepted.said.includes('write to us')).toBe(handsOff)
    expect((await asked('this is useless, you are stupid')).said).toContain('write to us')
  })

  it.each([
    ['Ich bin so gestresst, ich kann nicht mehr', 'jemand aus unserem Team kann besser helfen'],
    ['I feel so depressed', 'a person can help you better'],
    ['je n’en peux plus', 'une personne pourra mieux vous aider'],
  ])('is what somebody unwell needs, and no passage: %s', async (text, said) => {
    write('work.md', '# Work\n\n## Meal allowance\n\nWho is gestresst, depressed, or says plus, gets a meal.')
    const answer = await ask(text, {}, false, { contact: 'call us' })
    expect(answer.said).toContain(said)
    expect(answer.said).toContain('call us')
    expect(answer.said).not.toContain('meal')
    expect(answer.events.at(-1)).toEqual({ type: 'finish', suggestions: [] })
    expect((await ask(text)).events.at(-1)).toMatchObject({ suggestions: [expect.anything()] })
  })

  it.each(['ich kann mich nicht mehr einloggen', 'I can’t take it offline', 'our server is stressed'])(
    'is not all that sounds like it: %s',
    async (text) => {
      expect((await ask(text)).said).not.toMatch(/hard time|sehr schwer/)
    },
  )

  it('is handed over, and hears no contact, where somebody is at the desk', async () => {
    const desk = { here: 1, waitSeconds: 60, refuses: false }
    const { events, said } = await ask('a real person', { desk }, true, { contact: 'call us' })
    expect(said).not.toContain('call us')
    expect(events.at(-1)).toMatchObject({ type: 'handoff' })
  })

  it('is not promised anybody who is not there: the service says so', async () => {
    const desk = { here: 0, waitSeconds: 60, refuses: true }
    const { events, said } = await ask('a real person', { desk })
    expect(said).toBe('')
    expect(events.at(-1)).toMatchObject({ type: 'handoff' })
    expect((await ask('quantum chromodynamics', { desk })).said).not.toContain(words.offerPerson)
    expect(JSON.stringify((await ask('this sucks', { desk })).events)).not.toContain(words.person)
  })

  it('is declined in a call, because the desk cannot join calls, and is not offered there', async () => {
    const call = { channel: 'VOICE-SIP' } as const
    const { events, said } = await ask('a real person', call)
    expect(said).toBe(words.handoffInCall)
    expect(events.at(-1)).toEqual({ type: 'finish' })
    expect((await ask('quantum chromodynamics', call)).events.at(-1)).toMatchObject({
      suggestions: [{ message_text: OFFER }],
    })
  })
})

describe('the index', () => {
  it('accepts any question', () => {
    const index = createSearchIndex()
    index.put('a.md', '# A\n\nsome words')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom("'", '\\', ':*', '& | !', "a'b", '<->', '\0', '__proto__', 'constructor'),
        ),
        (text) => {
          expect(Array.isArray(index.search(text).hits)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('accepts any file', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        const index = createSearchIndex()
        index.put('a.md', text)
        index.put('a.md', '# Lantern\n\nlight')
        expect(index.search('lantern').hits).toHaveLength(1)
      }),
    )
  })

  it('returns the passage that fits best', () => {
    const index = createSearchIndex()
    index.put('a.md', '# Prices\n\nA repair of a tyre costs 20. Opening is free.')
    index.put('b.md', '# Opening hours\n\nFrom nine to five.')
    index.put('c.md', '# Repairs\n\nA flat tyre takes an hour.')
    const search = (question: string) => index.search(question).hits.map(({ passage }) => passage.file)
    expect(search('When is it open?').slice(0, 2)).toEqual(['b.md', 'a.md'])
    expect(search('How long do you repair a flat tyre?').slice(0, 2)).toEqual(['c.md', 'a.md'])
    expect(search('zeppelin')).toEqual([])
    expect(search('what is it?')).toEqual([])
  })

  it('answers from a single passage that has most words of the question', () => {
    const index = createSearchIndex()
    index.put('a.md', '# Tyres\n\n## How to mend a tyre\n\nUse the green glue.')
    expect(index.search('my tyre is flat, how do I mend it?').isAnswer).toBe(true)
    expect(index.search('how do I mend a carbon frame with resin?').isAnswer).toBe(false)
  })

  it('does not answer from an example or an address alone', () => {
    const index = createSearchIndex()
    index.put(
      'e.md',
      '# Sending\n\nSend it:\n\n```sh\nFOYER_X=1 curl -d bicycle\n```\n\nSee https://example.com/password.',
    )
    for (const question of ['Do you have a bicycle?', 'https://example.com/sending'])
      expect(index.search(question).isAnswer).toBe(false)
    expect(index.search('what is FOYER_X').isAnswer).toBe(true)
    expect(index.search('how do I send it').isAnswer).toBe(true)
  })

  it('forgets the deleted words of a file', () => {
    const index = createSearchIndex()
    index.put('a.md', '# Colour\n\nThe bicycle is red.')
    index.put('a.md', '# Colour\n\nThe bicycle is blue.')
    expect(index.search('red').hits).toEqual([])
    index.remove('a.md')
    expect(index.search('blue').hits).toEqual([])
    expect(index.passages()).toEqual([])
  })
})

describe('an index from which files were taken', () => {
  const KEPT = {
    'a.md':
      '# Bikes\n\n## Saddle\n\nA saddle is of leather, the leather of old.\n\n## Bell\n\nThe bell rings.',
    'b.md': '# Shop\n\n## Bell\n\nWe sell each bell and each saddle.',
  }
  const GONE = {
    'c.md':
      '# Laden\n\n## Sattel\n\nDer Sattel, die Klingel und das Leder sind nicht im Laden. Saddle, saddle, bell.',
    'd.md': '# Lager\n\n## Klingeln\n\nWir haben die Klingel und das Leder im Lager. Leather, leather.',
    'e.md': '# Werkstatt\n\n## Zange\n\nDie Zange ist in der Werkstatt und nicht im Lager.',
  }
  const put = (index: ReturnType<typeof createSearchIndex>, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) index.put(name, text)
  }

  it('knows the words, their number and the languages of the others alone', () => {
    const without = createSearchIndex()
    put(without, KEPT)
    const changed = createSearchIndex()
    put(changed, GONE)
    put(changed, KEPT)
    // A file that is put again is replaced.
    put(changed, { 'c.md': GONE['d.md'] })
    for (const name of Object.keys(GONE)) changed.remove(name)
    expect(changed.files()).toEqual(without.files())
    expect(changed.passages()).toEqual(without.passages())
    for (const text of [
      'saddle',
      'leather bell',
      'sattel',
      'klingel',
      'zangen',
      'saddel',
      'klingle',
      'zange',
      'xyz',
    ]) {
      const [found, expected] = [changed.search(text), without.search(text)]
      expect(found.question, text).toEqual(expected.question)
      expect(
        found.hits.map(({ passage, coverage, fit }) => ({ passage, coverage, fit })),
        text,
      ).toEqual(expected.hits.map(({ passage, coverage, fit }) => ({ passage, coverage, fit })))
    }
  })
})

describe('a long passage', () => {
  it('covers less of a question than a short passage with the same words, except by its heading', () => {
    const drawers = Array.from({ length: 60 }, (_, index) => `Drawer ${index} holds parts, oil and rope.`)
    const index = createSearchIndex()
    index.put('list.md', `# List\n\n## The cellar\n\n${drawers.join(' ')} A chain. A lock.`)
    index.put('chain.md', '# Bikes\n\n## Wear\n\nOil the chain and the lock each month.')
    const [first, second] = index.search('chain, oil, lock').hits
    expect([first?.passage.file, second?.passage.file]).toEqual(['chain.md', 'list.md'])
    expect([first?.coverage, (second?.coverage ?? 1) < 0.8]).toEqual([1, true])
    expect(index.search('cellar').hits[0]?.coverage).toBe(1)
  })
})

const bodies = (text: string, file: string) =>
  readPassages(text, file).map(({ heading, blocks }) => ({
    heading,
    body: blocks.map(({ source }) => source).join('\n\n'),
  }))

describe('reading a file', () => {
  it('takes headings, but not headings inside code', () => {
    const text = 'intro\n\n# One\n\ntext\n\n```sh\n# no heading\n```\n\n## Two ##\nmore\n\nThree\n---\nlast'
    expect(bodies(text, 'x/my-file.md')).toEqual([
      { heading: 'One', body: 'intro' },
      { heading: 'One', body: 'text\n\n```sh\n# no heading\n```' },
      { heading: 'Two', body: 'more' },
      { heading: 'Three', body: 'last' },
    ])
    expect(bodies('words', 'x/my-file.md')).toEqual([{ heading: 'My file', body: 'words' }])
  })

  it('lists the headings above each passage, and its unique anchor', () => {
    const passages = readPassages(
      '# A\n\na\n\n## B `c`\n\nb\n\n### D\n\nd\n\n## B c\n\ne\n\n## B c\n\nf',
      'f.md',
    )
    expect(passages.map(({ slug, above }) => [slug, above])).toEqual([
      ['a', []],
      ['b-c', ['A']],
      ['d', ['A', 'B c']],
      ['b-c-1', ['A']],
      ['b-c-2', ['A']],
    ])
  })

  it('takes title and questions from the front matter, and shows none of it', () => {
    const text =
      '---\ntitle: "Returns"\nquestions:\n  - Can I send it back?\n  - "Is it free?"\ntags:\n  - x\n---\n\nYes.\n\n## Later\n\nNo.'
    expect(readPassages(text, 'f.md')).toMatchObject([
      { title: 'Returns', heading: 'Returns', questions: ['Can I send it back?', 'Is it free?'] },
      { title: 'Returns', heading: 'Later', questions: [] },
    ])
    expect(bodies(text, 'f.md')[0]).toEqual({ heading: 'Returns', body: 'Yes.' })
  })

  it('takes no words from a comment, and shows none', () => {
    const text = '# Returns\n\n<!-- asked: parcel back? -->\n\nYes.'
    expect(readPassages(text, 'f.md')).toMatchObject([{ asked: [], blocks: [{ source: 'Yes.' }] }])
  })
})

describe('a file with wrapped lines', () => {
  it('has each paragraph and list item in one line, and everything else unchanged', () => {
    const text =
      '# T\n\nOne\ntwo.\n\n- item\n  goes on\n- next\n  ```\n  x\n  y\n  ```\n  goes\n  on\n\n| a |\n| - |\n| b |\n\n```\nx\ny\n```\n> q\n\nhard  \nbreak'
    expect(bodies(text, 'f.md')[0]?.body).toBe(
      'One two.\n\n- item goes on\n- next\n  ```\n  x\n  y\n  ```\n  goes on\n\n| a |\n| - |\n| b |\n\n```\nx\ny\n```\n\n> q\n\nhard  \nbreak',
    )
  })
})

describe('HTML in a document', () => {
  const blocksOf = (text: string) =>
    readPassages(text, 'a.md').map(({ heading, slug, blocks }) => [
      heading,
      slug,
      ...blocks.map(({ source }) => source),
    ])

  it.each([
    ['an anchor', '<a id="ready"></a>\nIt is ready.', ['It is ready.']],
    ['a line break', 'One<br>two<br/>\nthree', ['One  \ntwo  \nthree']],
    ['a comment', 'One <!-- not\nthis --> two.', ['One  two.']],
    ['a tag with an attribute', 'Press <kbd class="k">Esc</kbd>, H<sub>2</sub>O', ['Press Esc, H2O']],
    [
      'a disclosure',
      '<details>\n<summary>How it is kept</summary>\n\nIn a *box*.\n\n</details>',
      ['How it is kept', 'In a *box*.'],
    ],
    [
      'a disclosure without empty lines',
      '<details><summary>Kept?</summary>\nIn a box.\n</details>',
      ['Kept? In a box.'],
    ],
    [
      'a badge',
      '[![build](https://b.example/x.svg)](https://b.example) [![npm][n]][m]\n\nIt runs.',
      ['It runs.'],
    ],
    [
      'a table',
      '| A | B |\n| - | - |\n| one<br>two | <b>three</b> |',
      ['| A | B |\n| - | - |\n| one two | three |'],
    ],
    ['a list', '- one<br>\n- <a name="two"></a>two', ['- one  \n- two']],
    ['a script', '<script>\nlet hidden\n</script>\n\nSeen.', ['Seen.']],
  ])('does not show its source: %s', (_, text, blocks) => {
    expect(blocksOf(`# T\n\n${text}`)).toEqual([['T', 't', ...blocks]])
  })

  it('is left out of a heading and its anchor', () => {
    expect(blocksOf('## Ready <a id="ready-now"></a>\n\nYes.')).toEqual([['Ready', 'ready', 'Yes.']])
  })

  it.each([
    'Write `<br>` or ``<a id="x">``.',
    'Replace <your-domain> by yours.',
    'See <https://example.com/a> or ask <me@example.com>.',
    'If a < b and b > c, then `a <!-- b -->`.',
    '```html\n<details>\n```',
  ])('is kept where it is text: %s', (text) => {
    expect(blocksOf(`# T\n\n${text}`)).toEqual([['T', 't', text]])
  })

  it('is read in time that grows with its length', () => {
    for (const part of ['<a ', '<!--', '[![', '`', '<br', '[![a](b', '<!-- -->`', 'word '])
      for (const begin of ['', 'x ', 'x <!-- ', '<details> <!-- '])
        readPassages(`# T\n\n${begin}${part.repeat(100_000)}`, 'a.md')
  }, 20_000)
})
