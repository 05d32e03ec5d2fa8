import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGuide, type GuideOptions } from '../../src/agents/guide/guide.ts'
import { asksForPerson, smallTalkOf } from '../../src/agents/guide/small-talk.ts'
import { wordsIn } from '../../src/agents/guide/words.ts'
import { goesOn } from '../../src/agents/search/follow-up.ts'
import { readPassages } from '../../src/agents/search/passages.ts'
import { quote, sourceAddress } from '../../src/agents/search/quote.ts'
import type { AgentEvent, Turn } from '../../src/runtime/index.ts'
import { turnOf } from './turn.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-talk-'))
  write(
    'use.md',
    '# Use\n\n## How to use it in React\n\nReact code.\n\n## How to use it in Vue\n\nVue code, see [colours](look.md#how-to-change-the-colour) and [home](https://example.com).\n\n## How to hand over to a person\n\nThe agent yields a handoff.',
  )
  write(
    'look.md',
    '# Look\n\n## How to change the colour\n\nSet the accent.\n\n## Which themes there are\n\nDark and light.',
  )
})
afterEach(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** One conversation: memory and history go from turn to turn. */
async function talk(options: Partial<GuideOptions> = {}) {
  const guide = await createGuide({ folder, handsOff: true, ...options })
  const memory: Record<string, unknown> = {}
  const history: { role: 'visitor' | 'agent' | 'live'; text: string }[] = []
  return async (text: string, more: Partial<Turn> = {}) => {
    const events: AgentEvent[] = []
    const turn = turnOf(text, { history: [...history], memory: { ...memory }, ...more })
    for await (const event of guide.act(turn)) events.push(event)
    for (const event of events) if (event.type === 'remember') Object.assign(memory, event.memory)
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    history.push({ role: 'visitor', text }, { role: 'agent', text: said })
    const finish = events.find((event) => event.type === 'finish')
    return { events, said, offered: finish?.suggestions?.map(({ message_text }) => message_text) ?? [] }
  }
}

describe('small talk', () => {
  it.each([
    ['hello', 'Hi there!', wordsIn('en').helloAgain],
    ['thanks', 'thank you so much', wordsIn('en').thanks],
    ['bye', 'Tschüss', wordsIn('de').bye],
    ['hello', 'Guten Morgen!', wordsIn('de').helloAgain],
    ['thanks', 'merci beaucoup', wordsIn('fr').thanks],
    ['no', 'non merci', wordsIn('fr').no],
    ['hello', '👋', wordsIn('en').helloAgain],
    ['upset', 'you stupid bot!!', wordsIn('en').upset],
    ['upset', 'That’s not what I asked', wordsIn('en').upset],
    ['upset', 'du bist so dumm', wordsIn('de').upset],
    ['upset', 'c’est nul', wordsIn('fr').upset],
    ['upset', 'you are a stupid piece of junk', wordsIn('en').upset],
    ['upset', 'no thats wrong', wordsIn('en').upset],
    ['yes', 'ok cool', wordsIn('en').yes],
    ['thanks', 'Great, thanks!', wordsIn('en').thanks],
    ['thanks', 'ok, thanks a lot for your help', wordsIn('en').thanks],
    ['thanks', 'vielen lieben Dank', wordsIn('de').thanks],
    ['thanks', 'merci bien pour votre aide', wordsIn('fr').thanks],
    ['bye', 'super danke, bis bald', wordsIn('de').bye],
  ])('is answered as %s: “%s”', async (kind, text, said) => {
    expect(smallTalkOf(text)).toBe(kind)
    const ask = await talk()
    expect((await ask(text)).said).toBe(said)
  })

  it.each([
    'the answers are rubbish',
    'show a thank you page',
    'thanks, and what does it cost',
    'this sucks air into the pump',
    'is the shit emoji allowed',
    'no sound',
    'hello world example',
    'what is this error',
  ])('does not include “%s”', (text) => expect(smallTalkOf(text)).toBeUndefined())

  it('from an upset visitor is answered with the offer of a live agent', async () => {
    const ask = await talk()
    expect((await ask('this sucks')).offered[0]).toBe('Talk to a real person')
    expect((await ask('yes')).events.at(-1)).toMatchObject({ type: 'handoff' })
  })

  it('without a word is answered with what the guide can do', async () => {
    const ask = await talk()
    for (const text of ['?', '...', '😀'])
      expect((await ask(text)).said).toContain('I’m an automatic assistant')
  })

  it('about the guide is answered with what the guide can do', async () => {
    const ask = await talk()
    expect((await ask('What can you do?')).said).toContain('I’m an automatic assistant')
  })

  it.each([
    'Are you a real person?',
    'am I talking to a bot?',
    'are you an AI?',
    'is this a chatbot or a human',
    'Bist du ein Mensch?',
    'Spreche ich mit einer Maschine?',
    'es-tu un robot ?',
  ])('about whether a machine answers is never searched for: %s', async (text) => {
    const { said } = await (await talk())(text)
    expect(said).toMatch(
      /I’m an automatic assistant|Ich bin ein automatischer Assistent|Je suis un assistant automatique/,
    )
  })

  it.each(['good evening', 'Guten Abend!', 'Hi there'])('that greets is greeted: %s', async (text) => {
    const { said, events } = await (await talk())(text)
    expect(said).not.toMatch(/don’t know|nichts gefunden/)
    expect(events.at(-1)).not.toMatchObject({ understood: false })
  })

  it('before a question is skipped, and the question is answered', async () => {
    const ask = await talk()
    expect((await ask('Hi, how do I change the colour please?')).said).toContain('Set the accent.')
  })
})

describe('a conversation', () => {
  it('keeps the topic for a question that continues it', async () => {
    const ask = await talk()
    await ask('How do I use it in React?')
    expect((await ask('and in Vue?')).said).toContain('Vue code')
  })

  it('drops the topic for a question with its own topic', async () => {
    const ask = await talk()
    await ask('How do I use it in React?')
    expect((await ask('How do I change the colour?')).said).toContain('Set the accent.')
    expect(goesOn('How do I change the colour?')).toBe(false)
  })

  it('answers what alone has a sure answer, also where it reads like a follow-up', async () => {
    write('about.md', '# About\n\n## What it costs\n\nNothing at all.')
    write(
      'site.md',
      '# Site\n\n## How to embed the widget on a site\n\nA tag on the site embeds the widget at no cost.',
    )
    const alone = (await (await talk())('what does it cost')).said
    expect(alone).toContain('Nothing at all.')
    const ask = await talk()
    await ask('How do I embed the widget on my site?')
    expect((await ask('what does it cost')).said).toBe(alone)
  })

  it('reads what alone has no answer as a follow-up', async () => {
    write(
      'files.md',
      '# Files\n\n## Limits of pictures\n\nTwo megabytes, for every route.\n\n## Limits of videos\n\nTen megabytes, for every route.\n\n## Names\n\nA route has one.',
    )
    const followUp = 'what if I only want that for one route?'
    const said = async (before: string) => {
      const ask = await talk()
      await ask(before)
      const second = (await ask(followUp)).said
      // A third question goes on from the first.
      expect((await ask('and for each route?')).said).toBe(second)
      return second
    }
    expect(await said('What are the limits of pictures?')).toContain('Two megabytes')
    expect(await said('What are the limits of videos?')).toContain('Ten megabytes')
  })

  it('admits what the guide does not know, shows the nearest passage, and marks the turn', async () => {
    const ask = await talk()
    const { said, events, offered } = await ask('How do I mend the tyre of a zeppelin in React?')
    expect(said.startsWith(wordsIn('en').nearest(''))).toBe(true)
    expect(said).toContain('*From `use.md`, “How to use it in React”.*')
    expect(said).toContain('React code.')
    expect(said).toContain(wordsIn('en').offerPerson)
    expect(events).toContainEqual({ type: 'understood', outOfDomain: true })
    expect(offered[0]).toBe('Talk to a real person')
    expect((await ask('yes')).events.at(-1)).toMatchObject({ type: 'handoff' })
  })

  it('takes “yes” as the answer to an open offer only', async () => {
    const ask = await talk()
    expect((await ask('yes')).events.some(({ type }) => type === 'handoff')).toBe(false)
    await ask('quantum chromodynamics')
    expect((await ask('yes please')).events.at(-1)).toMatchObject({
      type: 'handoff',
      data: { last_question: 'quantum chromodynamics' },
    })
    expect((await ask('yes')).events.some(({ type }) => type === 'handoff')).toBe(false)
  })

  it.each<[string, string, Partial<Turn>]>([
    ['“no”', 'no thanks', {}],
    ['an answer', 'How do I use it in React?', {}],
    [
      'nothing found, and nobody at the desk',
      'zeppelin',
      { desk: { here: 0, waitSeconds: 60, refuses: true } },
    ],
    [
      'a nearest passage, and nobody at the desk',
      'How do I change the tyre of a zeppelin in React?',
      { desk: { here: 0, waitSeconds: 60, refuses: true } },
    ],
  ])('drops the open offer after %s', async (_, text, more) => {
    const ask = await talk()
    await ask('quantum chromodynamics')
    await ask(text, more)
    expect((await ask('yes')).events.some(({ type }) => type === 'handoff')).toBe(false)
  })

  it('continues with the next passages after “tell me more”, each once, also where two have one heading', async () => {
    const passage = (words: string) => `## Valves\n\nA valve ${words}.`
    write('front.md', `# Front\n\n${passage('is round')}\n\n## Caps of valves\n\nA valve has a cap.`)
    write('rear.md', `# Rear\n\n${passage('is long')}`)
    const ask = await talk()
    const shown: string[] = []
    for (const text of ['valve', 'more', 'tell me more']) shown.push((await ask(text)).said)
    const parts = shown.map((said) => said.match(/A valve [^.]*/)?.[0])
    expect([...parts].sort()).toEqual(['A valve has a cap', 'A valve is long', 'A valve is round'])
    expect((await ask('more')).said).toBe(wordsIn('en').noMore)
  })

  it('does not offer what the visitor asked some turns before, and offers nothing twice at once', async () => {
    const ask = await talk()
    const question = 'How to change the colour'
    for (const text of [question, 'How to use it in Vue', 'hello', 'thanks', 'zeppelin']) {
      const { offered } = await ask(text)
      expect(offered).not.toContain(question)
      expect(new Set(offered).size).toBe(offered.length)
    }
    for (const file of ['use.md', 'look.md']) rmSync(join(folder, file))
    for (const end of ['Front', 'Rear'])
      write(`${end}.md`, `# ${end}\n\n## ${end} valves\n\nThe ${end} valves.`)
    const { offered } = await (await talk())('front valves')
    expect(offered).toEqual(['Rear valves'])
  })

  it('offers headings that the guide can answer, and none twice in a row', async () => {
    const ask = await talk()
    let last = (await ask('')).offered
    expect(last.length).toBeGreaterThan(0)
    for (const question of ['How to use it in React', 'hello', 'zeppelin', 'How to change the colour']) {
      const { offered } = await ask(question)
      const repeated = offered.filter((each) => last.includes(each) && each !== 'Talk to a real person')
      expect(repeated).toEqual([])
      expect(offered).not.toContain(question)
      last = offered
    }
    for (const question of ['How to use it in Vue', 'Which themes there are'])
      expect((await (await talk())(question)).said).not.toContain('I don’t know')
  })
})

describe('a question about handing over', () => {
  it.each([
    'how do I hand over to a human agent',
    'How does the handoff to a person work?',
    'When does a live agent take over?',
    'pass the user’s name to the agent',
    'What happens when visitors talk to a person?',
    'Wie übergebe ich an einen Menschen?',
    'Where does it say “human”? I see the word agent.',
    'Agent: a program. What is it?',
    'Who is the operator? Where is he?',
  ])('is answered and does not hand off: “%s”', async (text) => {
    expect(asksForPerson(text)).toBe(false)
    expect((await (await talk())(text)).events.some(({ type }) => type === 'handoff')).toBe(false)
  })

  it.each([
    'Can I talk to a human?',
    'I need a person',
    'please transfer me to an agent',
    'how can I speak to someone?',
    'human please',
    'Ich möchte mit einem Mitarbeiter sprechen',
    'je voudrais parler à un conseiller',
    'connect me with support staff',
    'A human, please. Where is it?',
    'Where is my order? Human please!',
    'Bitte einen Mitarbeiter. Wo ist mein Paket?',
    'Mit einem Menschen sprechen',
    ...(['en', 'de', 'fr'] as const).map((language) => wordsIn(language).person),
  ])('is not what a request for a live agent is taken for: “%s”', async (text) => {
    expect((await (await talk())(text)).events.at(-1)).toMatchObject({ type: 'handoff' })
  })
})

describe('the greeting', () => {
  it('is one warm sentence, without a word about files', async () => {
    const { said, offered } = await (await talk())('')
    expect(said).toBe('Hello, and welcome! Ask me anything, or start with one of these.')
    expect(offered.length).toBeGreaterThan(0)
  })

  it('promises no suggestions where there are none', async () => {
    rmSync(join(folder, 'use.md'))
    rmSync(join(folder, 'look.md'))
    const { said, offered } = await (await talk())('')
    expect(said).toBe(wordsIn('en').helloUnready)
    expect(offered).toEqual([])
  })
})

describe('an answer in another language than the question', () => {
  it('says which language was found alone', async () => {
    write('cost.md', '# Price\n\n## What it costs\n\nIt is free for all of you.')
    const { said } = await (await talk())('Was kostet das?')
    expect(said).toMatch(/^Nur auf Englisch gefunden:\n\nIt is free.+\n\n\*Aus /s)
  })

  it('says it in brackets where the guide is in doubt', () => {
    expect(wordsIn('fr').inDoubt('en anglais')).toMatch(/ \(en anglais\) :$/)
    expect(wordsIn('fr').inDoubt('')).toMatch(/question :$/)
  })

  it('is not announced where the visitor’s language is unclear, or the same', async () => {
    for (const text of ['react', 'How do I use it in React?'])
      expect((await (await talk())(text)).said).not.toContain('Found in')
  })

  it('has buttons in the visitor’s language, without questions that have nothing to do with it', async () => {
    write('cost.md', '# Price\n\n## Late return\n\nIt costs six for all of you.')
    const { said, offered } = await (await talk())('Wie repariere ich einen Zeppelin?')
    expect(said).toBe(`${wordsIn('de').nothing} ${wordsIn('de').offerPerson}`)
    expect(offered).toEqual(['Mit dem Team sprechen'])
  })
})

describe('the visitor’s language', () => {
  it('is kept for a message that does not tell one', async () => {
    const ask = await talk()
    await ask('Guten Tag')
    expect((await ask('ok')).said).toBe(wordsIn('de').yes)
    expect((await ask('thank you very much')).said).toBe(wordsIn('en').thanks)
    expect((await ask('ok')).said).toBe(wordsIn('en').yes)
    // The agent's own words tell nothing.
    const history = [{ role: 'agent' as const, text: 'Guten Tag, ich bin da.' }]
    expect((await (await talk())('ok', { history })).said).toBe(wordsIn('en').yes)
  })
})

describe('German', () => {
  it('addresses nobody, so that it suits a site that says Sie and one that says du', () => {
    const said = JSON.stringify(
      Object.values(wordsIn('de')).map((word) =>
        typeof word === 'function' ? word('' as never) + word('x' as never) : word,
      ),
    )
    expect(said).not.toMatch(
      /(?<!\p{L})(?:Sie|Ihnen|Ihre?[mnrs]?|[Dd]u|[Dd]ich|[Dd]ir|[Dd]eine?[mnrs]?|[Ff]rag|[Ww]ähle|[Ss]chreib|Mensch\p{L}*)(?!\p{L})/u,
    )
  })
})

describe('suggestions', () => {
  it('are in the language of the visitor, as far as there are any in it', async () => {
    write(
      'farben.md',
      '# Farben\n\n## Wie ändert man die Farbe?\n\nDie Farbe steht im Menü und ist sofort da.',
    )
    const ask = await talk()
    expect((await ask('Guten Tag')).offered[0]).toBe('Wie ändert man die Farbe?')
    expect((await ask('Good morning')).offered).not.toContain('Wie ändert man die Farbe?')
  })

  it('are about the present topic first', async () => {
    write('a.md', '# A\n\n## What it costs\n\nNothing.')
    write('rent.md', '# Rent\n\n## Deposit\n\nWe block 150 on the card.\n\n## Late return\n\nIt costs six.')
    expect((await (await talk())('deposit')).offered[0]).toBe('Late return')
  })
})

describe('suggestions over documents in another language', () => {
  beforeEach(() => {
    rmSync(join(folder, 'use.md'))
    rmSync(join(folder, 'look.md'))
  })

  it('are in the language of the passage, and spell its heading as it is', async () => {
    write('hilfe.md', '# Hilfe\n\n## Kennwort vergessen\n\nWähle auf der Seite ein neues Kennwort.')
    write('haus.md', '# Haus\n\n## Betriebliche Kantine\n\nSie ist im Erdgeschoss und hat bis zwei Uhr auf.')
    const { offered } = await (await talk({ handsOff: false }))('Was kannst du?')
    expect(offered.sort()).toEqual(['Betriebliche Kantine', 'Kennwort vergessen'])
  })

  it('name the heading alone where the guide does not speak the language', async () => {
    write('ayuda.md', '# Ayuda\n\n## Contraseña olvidada\n\nElige una nueva en la página de la empresa.')
    expect((await (await talk({ handsOff: false }))('Hola')).offered).toEqual(['Contraseña olvidada'])
  })
})

describe('other words of a passage', () => {
  it('in another language are not read as words of the file’s language', async () => {
    write(
      'a.md',
      '---\nasked: ["#storage: quels cookies et pour quoi"]\n---\n# Browser\n\n## Storage\n\nOne is set.',
    )
    const ask = await talk()
    expect((await ask('quels cookies ?')).said).toContain('One is set.')
    expect((await ask('how do I cook pasta')).said).toContain('I don’t know')
  })
})

describe('a word of the question', () => {
  it('is corrected to a word of the passages, but not when it is another correct word', async () => {
    write(
      'food.md',
      '# Kitchen\n\n## How to glue tiles\n\nUse the paste.\n\n## How to change the lantern\n\nTurn it.',
    )
    expect((await (await talk())('chnage the lantren')).said).toContain('Turn it.')
    expect((await (await talk())('how do I cook pasta')).said).toContain('I don’t know')
  })

  it('counts once when a passage has it in many forms', async () => {
    write(
      'pay.md',
      '# Money\n\n## Prices, fees, costs, tariffs\n\nSee the list of prices, costs and fees.\n\n## Cancellation\n\nCancellation costs nothing.',
    )
    expect((await (await talk())('price of a cancellation')).said).toContain('Cancellation costs nothing.')
  })
})

describe('a source', () => {
  it('is a link when the files have addresses, and links between files lead to those addresses', async () => {
    const ask = await talk({ sourceUrl: 'https://shop.example.com/help/' })
    const { said } = await ask('How do I use it in Vue?')
    expect(said).toContain('[colours](https://shop.example.com/help/look#how-to-change-the-colour)')
    expect(said).toContain('[home](https://example.com)')
    expect(said).toContain(
      '*From [How to use it in Vue](https://shop.example.com/help/use#how-to-use-it-in-vue).*',
    )
  })

  it('has no link when the files have no addresses', async () => {
    const { said } = await (await talk())('How do I use it in Vue?')
    expect(said).toContain('see colours and [home](https://example.com)')
    expect(said).toContain('*From `use.md`, “How to use it in Vue”.*')
  })

  it('can have the name of the file in its address', () => {
    expect(sourceAddress('https://example.com/{name}.html')('a b/c.md', 'x')).toBe(
      'https://example.com/a%20b/c.html#x',
    )
    expect(sourceAddress('https://example.com/blob/main/{file}')('a b/c.md', 'x')).toBe(
      'https://example.com/blob/main/a%20b/c.md#x',
    )
  })
})

describe('a long passage', () => {
  const code = `\`\`\`js\n${'call()\n'.repeat(150)}\`\`\``
  const table = `| Name | Does |\n| - | - |\n${'| row | something |\n'.repeat(40)}| zeppelin | flies |`
  const [passage] = readPassages(
    `# Long\n\nIt begins here.\n\n${'Filler text. '.repeat(90)}\n\n${code}\n\n${table}`,
    'a.md',
  )

  it('is cut after the last block that fits, and keeps its beginning', () => {
    if (!passage) throw new Error('no passage')
    const shown = quote({ passage, words: new Set(['zeppelin']) }, () => undefined)
    expect(shown).toContain(table)
    expect(shown).toContain('It begins here.')
    expect(shown).not.toContain('call()')
    // The gap is marked once, and behind the last block there is none.
    expect(shown.split('…')).toHaveLength(2)
    expect(shown.endsWith(table)).toBe(true)
    const [short] = readPassages('# Short\n\nOne.\n\nTwo.\n\nThree.', 'a.md')
    if (!short) throw new Error('no passage')
    expect(quote({ passage: short, words: new Set() }, () => undefined)).toBe('One.\n\nTwo.\n\nThree.')
  })

  it('is never cut inside a block, however long', () => {
    if (!passage) throw new Error('no passage')
    const shown = quote({ passage, words: new Set(['call']) }, () => undefined)
    const begun = passage.blocks.filter(({ source }) => shown.includes(source.slice(0, 30)))
    expect(begun.length).toBeGreaterThan(0)
    for (const { source } of begun) expect(shown).toContain(source)
  })
})
