// Which words a language tag gets, and which words a site may put in their place.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { directionOf, pageWords } from '../../../src/embed/page/host/words.ts'
import { en } from '../../../src/ui/locales/en.ts'
import { checkWords, createLanguage, languageOf, loadWords, TAGS } from '../../../src/ui/words/languages.ts'

const { signal } = new AbortController()

describe('the words for a tag', () => {
  it.each([
    ['en', 'Send'],
    ['de', 'Senden'],
    ['DE-CH-1996', 'Senden'],
    ['fr-Latn-CA', 'Envoyer'],
    ['pt-PT', 'Enviar'],
    ['iw', 'שליחה'],
    ['zh', '发送'],
    ['zh-Hans-HK', '发送'],
    ['zh-Hant-CN', '傳送'],
    ['zh-TW', '傳送'],
    ['zh-HK', '傳送'],
    ['zh-MO', '傳送'],
    ['fi', 'Send'],
  ])('such as %s are those of its language and script, else English', async (tag, send) => {
    expect((await loadWords(tag, signal)).send).toBe(send)
  })

  it.each([
    ['fr-CA', 'closeChat', 'Fermer le clavardage', 'fr-FR', 'Fermer le chat'],
    ['es-US', 'placeholder', 'Escriba un mensaje…', 'es-MX', 'Escribe un mensaje…'],
    ['en-GB', 'keepChatting', 'Carry on chatting', 'en-AU', 'Keep chatting'],
  ] as const)(
    'such as %s are those of its region over those of its language',
    async (tag, name, own, other, plain) => {
      const words = await loadWords(tag, signal)
      expect(words[name]).toBe(own)
      expect((await loadWords(other, signal))[name]).toBe(plain)
      // What the region does not say is the language's, and nothing is missing.
      expect(words.send).toBe((await loadWords(other, signal)).send)
      expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort())
    },
  )

  it('are those of the register, where the language has it', async () => {
    const { you, send } = await loadWords('de-AT', signal, 'informal')
    expect([you, send]).toEqual(['Du', 'Senden'])
    expect((await loadWords('de', signal, 'formal')).you).toBe('Sie')
    expect((await loadWords('fr', signal, 'informal')).you).toBe((await loadWords('fr', signal)).you)
  })

  it('of the register follow every change of the language', async () => {
    const language = createLanguage(signal)
    language.speak('de')
    language.address('informal')
    await language.loaded()
    expect(language.words.value.you).toBe('Du')
    language.speak('en')
    language.speak('de-CH')
    await language.loaded()
    expect(language.words.value.you).toBe('Du')
    language.address(undefined)
    await language.loaded()
    expect(language.words.value.you).toBe('Sie')
  })

  it.each(['ar-EG', 'he-IL'])('such as %s are written from right to left', async (tag) => {
    expect((await loadWords(tag, signal)).direction).toBe('rtl')
  })
})

describe('the launcher', () => {
  const OTHERS =
    'iw iw-IL AR DE-at de-CH-1996 fr-Latn-CA zh zh-CN zh-SG zh-TW zh-HK zh-MO zh-Hans-HK zh-Hant-SG yue fi und x constructor'

  it('speaks the panel’s language, and from its side, for every tag', () => {
    for (const tag of [...TAGS, ...OTHERS.split(' ')]) {
      const { language } = languageOf(tag)
      expect([tag, pageWords(tag).open]).toEqual([tag, pageWords(language).open])
      expect([tag, pageWords(tag).open === pageWords('en').open]).toEqual([tag, language === 'en'])
      expect([tag, directionOf(tag)]).toEqual([tag, ['ar', 'he'].includes(language) ? 'rtl' : 'ltr'])
    }
  })
})

describe('words that cannot be loaded', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/ui/locales/fr.ts')
    vi.doUnmock('../../../src/ui/locales/fr-CA.ts')
    vi.resetModules()
  })
  const loadWithout = async (name: 'fr' | 'fr-CA') => {
    vi.resetModules()
    const fail = () => {
      throw new Error('offline')
    }
    if (name === 'fr') vi.doMock('../../../src/ui/locales/fr.ts', fail)
    else vi.doMock('../../../src/ui/locales/fr-CA.ts', fail)
    return (await import('../../../src/ui/words/languages.ts')).loadWords('fr-CA', signal)
  }

  it('are those of the language where only the region is missing', async () => {
    expect((await loadWithout('fr-CA')).closeChat).toBe('Fermer le chat')
  })

  it('are waited for where the language is missing', async () => {
    vi.useFakeTimers()
    try {
      const found = vi.fn()
      void loadWithout('fr').then(found)
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
      await vi.advanceTimersByTimeAsync(100_000)
      expect(found).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('words of a site’s own', () => {
  it('are the known names with texts', () => {
    expect(checkWords({ send: 'Go', placeholder: 'Ask us anything…' })).toEqual({
      send: 'Go',
      placeholder: 'Ask us anything…',
    })
  })

  it.each([
    ['an unknown name', { hello: 'Hello' }],
    ['a name that every object has', { constructor: 'x', toString: 'y', hasOwnProperty: 'z' }],
    ['the direction and the language', { direction: 'rtl', language: 'ar' }],
    ['a word that takes arguments', { said: 'said' }],
    ['a number', { send: 7 }],
    ['a function', { send: () => 'Go' }],
    ['a blank text, since a button must have a name', { send: ' ' }],
    ['a text of more than 500', { send: 'x'.repeat(501) }],
    ['an inherited word', Object.create({ send: 'Go' })],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'send'],
  ])('leave out what cannot be used: %s', (_, given) => {
    expect(checkWords(given)).toEqual({})
  })

  it('may have 500', () => {
    expect(checkWords({ send: 'x'.repeat(500) })).toEqual({ send: 'x'.repeat(500) })
  })
})

it('words of a register that was asked for before do not replace those that came since', async () => {
  const language = createLanguage(signal)
  language.speak('de')
  await language.loaded()
  language.address('informal')
  const older = language.loaded()
  language.address('formal')
  await Promise.all([older, language.loaded()])
  expect(language.words.value.you).toBe('Sie')
})
