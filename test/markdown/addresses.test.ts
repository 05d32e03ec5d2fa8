// What a link may lead to, and when its words hide that.

import { describe, expect, it } from 'vitest'
import { comparableHref, hiddenHost, safeHref, splitAddresses } from '../../src/markdown/index.ts'

describe('the host of a link', () => {
  it.each([
    'bank.example',
    'BANK.EXAMPLE/login',
    'bank.example.',
    'bank.example!',
    'bank.example, the secure one',
    '(bank.example)',
    '“bank.example”',
    '\u200bbank.example',
    '\u202ebank.example\u200b',
    'ba\u2060nk.example',
    'https://bank.example',
    'https:/bank.example',
    '//bank.example',
    'https://me@bank.example',
    'me@bank.example',
    'bänk.example',
    'bank。example',
    'Log in at bank.example now',
    'Our bank:bank.example',
  ])('is shown behind the words %j, which name another', (words) => {
    expect(hiddenHost(words, 'https://evil.example/x')).toBe('evil.example')
    expect(hiddenHost(words, 'https://bank.example.evil.example')).toBe('bank.example.evil.example')
  })

  it.each([
    ['bank.example', 'https://bank.example/a'],
    ['www.bank.example', 'https://bank.example'],
    ['bank.example:443', 'https://www.bank.example'],
    ['(https://bank.example)', 'https://bank.example'],
    ['bänk.example', 'https://xn--bnk-qla.example'],
    ['our page', 'https://evil.example'],
    ['Node.js', 'mailto:a@example.com'],
    ['version 2.0', 'https://evil.example'],
    ['bank.example', 'no address'],
    ['me@bank.example', 'mailto:me@bank.example'],
    ['https://bank.example/a.htm?b=c.htm#d.htm', 'https://bank.example/a.htm?b=c.htm#d.htm'],
    ['例え.example', 'https://例え.example'],
  ])('is not repeated behind the words %j of %s', (words, href) => {
    expect(hiddenHost(words, href)).toBeUndefined()
  })

  it('is shown of a mail address behind the words of another one', () => {
    expect(hiddenHost('Write to help@bank.example', 'mailto:help@evil.example')).toBe('evil.example')
  })

  it.each(['https://аррӏе.com', 'αpple.com', 'ехample.com'])(
    'is shown where letters of another script look like those of %s',
    (words) => {
      const href = words.startsWith('https') ? words : `https://${words}`
      expect(hiddenHost(words, href)).toBe(new URL(href).host)
      expect(new URL(href).host).toContain('xn--')
    },
  )

  it('is found in time that grows with nothing but 300 letters', () => {
    for (const part of ['a.', '@', 'a@', '-', '。', 'https:/', '\u200b', '"'])
      expect(hiddenHost(part.repeat(100_000), 'https://evil.example')).toBeUndefined()
  })
})

describe('an address', () => {
  it.each([
    'https://bank.example@evil.example',
    'https://:bank.example@evil.example',
    'https://a:b@evil.example',
  ])('with a name or a password in front of its host is not followed: %s', (address) =>
    expect(safeHref(address)).toBeUndefined(),
  )
})

describe('two addresses', () => {
  it.each([
    ['https://shop.example/a', 'HTTPS:shop.EXAMPLE:443/a', true],
    ['https://shop.example/ä', 'https://shop.example/%C3%A4', true],
    ['https://münchen.example/', 'https://münchen.example/', true],
    // Engines map this letter to two others, or to one.
    ['https://strasse.example/', 'https://stra\u1e9ee.example/', false],
    ['https://strasse.example/', 'https://stra%E1%BA%9Ee.example/', false],
    ['https://strasse.example/', 'https:stra\u1e9ee.example/', false],
    ['https://strasse.example/', 'ht\ttps://stra\u1e9ee.example/', false],
  ])('are the same only where every engine is led to one place: %s, %s', (one, other, isSame) => {
    expect(comparableHref(one) === comparableHref(other)).toBe(isSame)
  })

  it('of a name in front of the host, or of another scheme, are never followed', () => {
    expect(comparableHref('https://a@shop.example')).toBeUndefined()
    expect(comparableHref('javascript:alert(1)')).toBeUndefined()
    expect(comparableHref('no address')).toBeUndefined()
    expect(comparableHref('https://évil.example/x')).toBe('https://évil.example/x')
  })
})

describe('a bare address', () => {
  it.each([
    ['see https://example.com/norway.', ['https://example.com/norway']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['https://example.com, http://a.example!', ['https://example.com', 'http://a.example']],
    ['write to ana@larkspur.example please', ['mailto:ana@larkspur.example']],
    ['javascript:alert(1) //example.com ftp://example.com', []],
    ['nothing here', []],
    [
      '„https://example.com/a“, «https://b.example», ‘https://c.example’',
      ['https://example.com/a', 'https://b.example', 'https://c.example'],
    ],
    ['请访问https://example.com/路径。谢谢', ['https://example.com/路径']],
    ['見て（https://example.com）、', ['https://example.com']],
    ['زوروا https://example.com، شكرا', ['https://example.com']],
    ['https://example.com।', ['https://example.com']],
    ['https://example.com\u200b and https://b.example\u202e', ['https://example.com', 'https://b.example']],
    ['www.example.com, or www.example', ['https://www.example.com']],
    ['www.example.com/@larkspur', ['https://www.example.com/@larkspur']],
    ['www.example.com?a@b#c, see', ['https://www.example.com?a@b#c']],
    [
      'to müller@larkspur.example or 请写信给ana@larkspur.example',
      ['mailto:müller@larkspur.example', 'mailto:ana@larkspur.example'],
    ],
  ])('%j leads to %j', (text, expected) => {
    const parts = splitAddresses(text)
    expect(parts.filter((part) => typeof part !== 'string').map(({ href }) => href)).toEqual(expected)
    expect(parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')).toBe(text)
  })
})
