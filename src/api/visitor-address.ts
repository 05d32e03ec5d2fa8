// Finds the visitor's address of a request, also behind proxies, and the key under which limits count it.
//
//   visitor ──▶ proxy ──▶ proxy ──▶ here        X-Forwarded-For: <whatever the visitor wrote>, visitor, proxy
//                                               read from the right, while the address before is trusted

import ipaddr from 'ipaddr.js'
import { consoleLog, type Log } from './log.ts'

/** The options of `createVisitorAddress`. */
export type VisitorAddressOptions = {
  /** Addresses and CIDR ranges of your own proxies; `loopback` for those on this machine. */
  trusted: readonly string[]
  /** Takes each line of the log. Default: the console. */
  log?: Log
}

/**
 * Returns the visitor's address: `peer` is the other end of the connection, `forwarded` the header X-Forwarded-For.
 * An IPv4 address mapped into IPv6 is returned as IPv4.
 */
export type VisitorAddress = (
  peer: string | undefined,
  forwarded: string | readonly string[] | null | undefined,
) => string

/** IPv4 stands in its mapped form, `::ffff:0:0/96`, so that one comparison serves both. */
type Address = ipaddr.IPv6
type AddressRange = [network: Address, prefixLength: number]

const LOOPBACK = ['127.0.0.0/8', '::1']
/** A longer chain of proxies is a forgery. */
const MOST_HOPS = 32

/** Creates a function that finds the visitor's address behind trusted proxies. Throws a TypeError that names the first of `trusted` that is not an address, a range or `loopback`. */
export function createVisitorAddress({ trusted, log = consoleLog }: VisitorAddressOptions): VisitorAddress {
  const ranges = trusted.flatMap((text) => (text === 'loopback' ? LOOPBACK : [text])).map(readRange)
  const isTrusted = (address: Address) => ranges.some((range) => address.match(range))
  let warned = false

  return (peer, forwarded) => {
    const direct = readAddress(peer ?? '')
    if (direct === undefined) return 'unknown'
    const header = typeof forwarded === 'string' ? forwarded : (forwarded ?? []).join(',')
    if (header === '') return writeAddress(direct)
    if (!isTrusted(direct) && !warned) {
      warned = true
      const address = writeAddress(direct)
      log(
        `requests from ${address} carry X-Forwarded-For, and FOYER_TRUSTED_PROXIES does not name ${address}: all visitors behind it are counted as one`,
        'warn',
      )
    }
    let visitor = direct
    const forwardedHops = header.split(',').reverse()
    for (const hop of forwardedHops.slice(0, MOST_HOPS)) {
      if (!isTrusted(visitor)) break
      const nextHop = readAddress(withoutPort(hop.trim()))
      if (nextHop === undefined) break
      visitor = nextHop
    }
    return writeAddress(visitor)
  }
}

/**
 * The key under which requests of an address are counted. One visitor owns a whole /64 of IPv6, so each /64 is one key;
 * IPv4 in its mapped form is the same as IPv4. A text that is not an address is its own key.
 */
export function countingKey(text: string): string {
  const address = readAddress(text)
  if (address === undefined) return text
  if (address.isIPv4MappedAddress()) return writeAddress(address)
  return `${writeAddress(ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`))}/64`
}

/** Undefined if the text is not an address. */
function readAddress(text: string): Address | undefined {
  const { IPv4, IPv6 } = ipaddr
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text).toIPv4MappedAddress()
  // A zone (`fe80::1%eth0`) names an interface of this machine, not a part of the address.
  const withoutZone = text.replace(/%.*$/s, '')
  return IPv6.isValid(withoutZone) ? IPv6.parse(withoutZone) : undefined
}

const writeAddress = (address: Address): string =>
  address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toString()

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

function readRange(text: string): AddressRange {
  const [, addressText = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = readAddress(addressText)
  const width = addressText.includes(':') ? 128 : 32
  const prefixLength = Number(length ?? width)
  if (address === undefined || prefixLength > width)
    throw new TypeError(`"${text}" is not an address, a CIDR range such as 10.0.0.0/8, or loopback`)
  return [address, prefixLength + 128 - width]
}
