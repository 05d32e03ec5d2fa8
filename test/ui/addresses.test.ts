// What a link may lead to, and when its words hide that.

import { describe, expect, it } from 'vitest'
import { hiddenHost } from '../../src/ui/addresses.ts'
import { safeHref } from '../../src/ui/link.tsx'

describe('the host of a link', () => {
  it.each([
    'bank.com',
    'BANK.COM/login',
    'bank.com.',
    'bank.com!',
    'bank.com, the secure one',
    '(bank.com)',
    '“bank.com”',
    '\u200bbank.com',
    '\u202ebank.com\u200b',
    'ba\u2060nk.com',
    'https://bank.com',
    'https:/bank.com',
    '//bank.com',
    'https://me@bank.com',
    'me@bank.com',
    'bänk.de',
    'bank。com',
  ])('is shown behind the words %j, which name another', (words) => {
    expect(hiddenHost(words, 'https://evil.example/x')).toBe('evil.example')
    expect(hiddenHost(words, 'https://bank.com.evil.example')).toBe('bank.com.evil.example')
  })

  it.each([
    ['bank.com', 'https://bank.com/a'],
    ['www.bank.com', 'https://bank.com'],
    ['bank.com:443', 'https://www.bank.com'],
    ['(https://bank.com)', 'https://bank.com'],
    ['bänk.de', 'https://xn--bnk-qla.de'],
    ['our page', 'https://evil.example'],
    ['version 2.0', 'https://evil.example'],
    ['bank.com', 'no address'],
    ['me@bank.com', 'mailto:me@bank.com'],
  ])('is not repeated behind the words %j of %s', (words, href) => {
    expect(hiddenHost(words, href)).toBeUndefined()
  })

  it('is found in time that grows with nothing but 300 letters', () => {
    for (const part of ['a.', '@', 'a@', '-', '。', 'https:/', '\u200b', '"'])
      expect(hiddenHost(part.repeat(100_000), 'https://evil.example')).toBeUndefined()
  })
})

describe('an address', () => {
  it.each(['https://bank.com@evil.example', 'https://:bank.com@evil.example', 'https://a:b@evil.example'])(
    'with a name or a password in front of its host is not followed: %s',
    (address) => expect(safeHref(address)).toBeUndefined(),
  )
})
