// Which options are read, from which sources, and what becomes of those that are not valid.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { readOptions } from '../../src/embed/options.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('options', () => {
  it('are read from every source, the later counting more', () => {
    expect(
      readOptions({ theme: 'dark', accent: '#123' }, undefined, {
        theme: 'light',
        streaming: 'false',
        autoOpen: true,
      }),
    ).toEqual({
      theme: 'light',
      accent: '#123',
      streaming: false,
      autoOpen: true,
    })
  })

  it('that are bad are warned of by their name and never by their value', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const hostile = JSON.parse('{"__proto__":{"theme":"dark"},"constructor":"x","nonsense":1}')
    expect(
      readOptions(hostile, {
        layout: 'secret-value',
        origin: 'javascript:alert(1)',
        connector: '../x',
        locale: '<b>',
      }),
    ).not.toHaveProperty('theme')
    expect(warn).toHaveBeenCalledTimes(4)
    expect(warn.mock.calls.join()).toContain('layout must be float|embedded|fullscreen')
    expect(warn.mock.calls.join()).not.toContain('secret-value')
    expect(({} as { theme?: string }).theme).toBeUndefined()
  })

  it('that are empty, or cannot be read, leave what another source says', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const nothing of ['', null, undefined, circular, Symbol('none'), Object.create(null)])
      expect(readOptions({ consent: 'required', words: '{}' }, { consent: nothing, words: nothing })).toEqual(
        { consent: 'required', words: '{}' },
      )
  })

  it('that the loader does not know stay texts of at most 20,000 characters, for the panel to read', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(
      readOptions({
        words: { send: 'Go' },
        starters: ['One', 'Two'],
        greeting: 'Hello',
        avatar: null,
        form: circular,
        hours: Object.create(null),
        disclaimer: 'x'.repeat(20_001),
        agentName: Symbol('name'),
      }),
    ).toEqual({ words: '{"send":"Go"}', starters: '["One","Two"]', greeting: 'Hello' })
  })

  it.each([
    ['Object.prototype', () => ({})],
    ['a prototype of its own', () => Object.create({ origin: 'https://evil.example.com', accent: 'red' })],
    [
      'a class',
      () =>
        new (class Settings {
          origin = 'https://evil.example.com'
        })(),
    ],
    ['a function', () => Object.assign(() => {}, { origin: 'https://evil.example.com' })],
    ['an array', () => Object.assign([], { origin: 'https://evil.example.com' })],
    ['a list of pairs', () => [['origin', 'https://evil.example.com']]],
    ['a map', () => new Map([['origin', 'https://evil.example.com']])],
    ['a text', () => 'origin=https://evil.example.com'],
    ['null', () => null],
  ])('are read from no prototype, and from nothing but a plain object: %s', (name, make) => {
    const prototype = Object.prototype as { origin?: string; accent?: string }
    if (name === 'Object.prototype') prototype.origin = 'https://evil.example.com'
    try {
      const read = readOptions(make(), { theme: 'dark' })
      expect(read.theme).toBe('dark')
      expect(read.origin).toBeUndefined()
      expect(read.accent).toBeUndefined()
    } finally {
      delete prototype.origin
    }
  })

  it('are never read from an element', () => {
    const element = document.createElement('a')
    Object.defineProperty(element, 'origin', { value: 'https://evil.example.com', enumerable: true })
    expect(readOptions(element)).toEqual({})
  })

  it('know a colour from what only ends as one', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const accent of [
      '#123',
      '#11223344',
      'RebeccaPurple',
      'rgb(1 2 3 / 50%)',
      'oklch(0.5 0.1 260)',
      'color-mix(in oklch, #f00, blue)',
    ])
      expect(readOptions({ accent })).toEqual({ accent })
    for (const accent of [
      'var(--x)',
      'var(--x,url(https://evil.example.com))',
      'url(https://evil.example.com)',
      'rgb(var(--x))',
      'color-mix(in srgb, var(--x), red)',
      'image-set("https://evil.example.com" 1x)',
      'red;background:url(//evil.example.com)',
      'red\nblue',
      'attr(x)',
    ])
      expect(readOptions({ accent })).toEqual({})
  })

  it('may have the names of the service’s own snippet', () => {
    expect(readOptions({ renderMode: 'inline', showIcon: 'false' })).toEqual({
      layout: 'embedded',
      launcher: 'hidden',
    })
  })
})

describe('the options of a page in an iOS app', () => {
  it('fill the screen and hide the header', () => {
    expect(readOptions({ platform: 'ios' })).toEqual({
      platform: 'ios',
      layout: 'fullscreen',
      showHeader: false,
    })
  })
  it.each([
    [{ platform: 'ios', layout: 'float', showHeader: 'true' }],
    // By another source, whichever comes first.
    [{ layout: 'float', showHeader: true }, { platform: 'ios' }],
    [{ platform: 'ios' }, { renderMode: 'widget', showHeader: 'true' }],
  ])('do what the page says, where it says so: %j', (...sources) => {
    expect(readOptions(...sources)).toEqual({ platform: 'ios', layout: 'float', showHeader: true })
  })
  it.each(['android', 'web'])('are the usual ones for %s', (platform) => {
    expect(readOptions({ platform })).toEqual({ platform })
  })
})
