// Whose request it is, behind proxies and without, as a table.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countingKey, createVisitorAddress } from '../../src/api/index.ts'

describe('the address of a visitor', () => {
  it.each<
    [
      what: string,
      trusted: string[],
      peer: string | undefined,
      forwarded: string | string[] | undefined,
      found: string,
    ]
  >([
    ['is the peer without a header', [], '192.0.2.1', undefined, '192.0.2.1'],
    ['is the peer where no proxy is trusted', [], '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['is the peer where another proxy is trusted', ['192.0.2.2'], '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['is what a trusted proxy says', ['192.0.2.1'], '192.0.2.1', '198.51.100.7', '198.51.100.7'],
    [
      'is the last one that a trusted proxy wrote',
      ['192.0.2.1'],
      '192.0.2.1',
      '10.9.9.9, 198.51.100.7',
      '198.51.100.7',
    ],
    [
      'is found behind two trusted proxies',
      ['192.0.2.0/24'],
      '192.0.2.1',
      '10.9.9.9, 198.51.100.7, 192.0.2.77',
      '198.51.100.7',
    ],
    ['is the outermost where all are trusted', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['is the proxy where it wrote no address', ['loopback'], '127.0.0.1', 'unknown', '127.0.0.1'],
    [
      'is not looked for behind what is no address',
      ['loopback'],
      '127.0.0.1',
      '198.51.100.7, unknown',
      '127.0.0.1',
    ],
    ['is read without its port', ['loopback'], '127.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['is read without brackets and port', ['loopback'], '::1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['is read from several headers', ['loopback'], '127.0.0.1', ['10.9.9.9', '198.51.100.7'], '198.51.100.7'],
    ['is IPv4 where it is mapped into IPv6', [], '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['is trusted in its mapped form too', ['192.0.2.1'], '::ffff:192.0.2.1', '198.51.100.7', '198.51.100.7'],
    [
      'is trusted by a range of mapped addresses',
      ['::ffff:10.0.0.0/104'],
      '10.1.2.3',
      '198.51.100.7',
      '198.51.100.7',
    ],
    ['is trusted by a range of IPv6', ['fd00::/8'], 'fd12::1', '2001:db8::7', '2001:db8::7'],
    ['ends at the edge of a range', ['10.0.0.0/9'], '10.128.0.0', '198.51.100.7', '10.128.0.0'],
    ['reaches the edge of a range', ['10.0.0.0/9'], '10.127.255.255', '198.51.100.7', '198.51.100.7'],
    [
      'is trusted everywhere by a range of everything',
      ['0.0.0.0/0'],
      '203.0.113.9',
      '198.51.100.7',
      '198.51.100.7',
    ],
    ['of IPv6 is not in a range of all IPv4', ['0.0.0.0/0'], '2001:db8::1', '198.51.100.7', '2001:db8::1'],
    ['is loopback in all of 127.0.0.0/8', ['loopback'], '127.8.8.8', '198.51.100.7', '198.51.100.7'],
    ['has no zone', [], 'fe80::1%eth0', undefined, 'fe80::1'],
    ['is unknown without a peer', ['loopback'], undefined, '198.51.100.7', 'unknown'],
  ])('%s', (_, trusted, peer, forwarded, found) => {
    expect(createVisitorAddress({ trusted })(peer, forwarded)).toBe(found)
  })

  it.each([
    [31, '198.51.100.7'],
    [32, '127.0.0.1'],
    [10_000, '127.0.0.1'],
  ])('behind %i further proxies is %s: the number of hops is bounded', (proxies, found) => {
    const header = `198.51.100.7${', 127.0.0.1'.repeat(proxies)}`
    expect(createVisitorAddress({ trusted: ['loopback'] })('127.0.0.1', header)).toBe(found)
  })

  it('is an address or unknown, whatever the header contains', () => {
    const find = createVisitorAddress({ trusted: ['loopback'] })
    fc.assert(
      fc.property(fc.string(), fc.string(), (peer, header) => {
        const found = find(peer, header)
        expect(found === 'unknown' || found === createVisitorAddress({ trusted: [] })(found, '')).toBe(true)
        expect(find('127.0.0.1', header)).toMatch(/^[\da-f.:]+$/)
      }),
    )
  })

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '::/129',
    '10.0.0.256',
    'proxy.example.com',
    '1/2/3',
    '10.0.0.0/8/8',
  ])('cannot be trusted as "%s"', (text) => {
    expect(() => createVisitorAddress({ trusted: [text] })).toThrowError(`"${text}" is not an address`)
  })

  it('of an untrusted proxy is logged once', () => {
    const log: string[] = []
    const find = createVisitorAddress({ trusted: ['loopback'], log: (line) => log.push(line) })
    find('127.0.0.1', '198.51.100.7')
    find('192.0.2.1', undefined)
    expect(log).toEqual([])
    find('192.0.2.1', '198.51.100.7')
    find('192.0.2.2', '198.51.100.7')
    expect(log).toHaveLength(1)
    // The trusted proxy is believed as before.
    expect(find('127.0.0.1', '198.51.100.7')).toBe('198.51.100.7')
    expect(log[0]).toContain('192.0.2.1')
    expect(log[0]).toContain('FOYER_TRUSTED_PROXIES')
    expect(log[0]).not.toContain('198.51.100.7')
  })
})

describe('the limit of requests', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
    ['::1', '::/64'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (address, key) => {
    expect(countingKey(address)).toBe(key)
  })
})
