// Finds the visitor's address of a request, also behind proxies, and the key under which limits count it.
//
//   visitor ──▶ proxy ──▶ proxy ──▶ here        X-Forwarded-For: <whatever the visitor wrote>, visitor, proxy
//                                               read from the right, while the address before is trusted

export type VisitorAddressOptions = {
  /** Addresses and CIDR ranges of your own proxies; `loopback` for those on this machine. */
  trusted: readonly string[]
  log?: (line: string) => void
}

/**
 * Returns the visitor's address: `peer` is the other end of the connection, `forwarded` the header X-Forwarded-For.
 * An IPv4 address mapped into IPv6 is returned as IPv4.
 */
export type VisitorAddress = (
  peer: string | undefined,
  forwarded: string | readonly string[] | null | undefined,
) => string

/** An address as 128 bits; IPv4 stands in its mapped form, `::ffff:0:0/96`. */
type AddressBits = bigint
type AddressRange = { first: AddressBits; last: AddressBits }

const MAPPED = 0xffff_0000_0000n
const LOOPBACK = ['127.0.0.0/8', '::1']
/** A longer chain of proxies is a forgery. */
const MOST_HOPS = 32

/** Throws a TypeError that names the first of `trusted` that is not an address, a range or `loopback`. */
export function createVisitorAddress({ trusted, log = () => {} }: VisitorAddressOptions): VisitorAddress {
  const ranges = trusted.flatMap((text) => (text === 'loopback' ? LOOPBACK : [text])).map(readRange)
  const isTrusted = (bits: AddressBits) => ranges.some(({ first, last }) => first <= bits && bits <= last)
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
export function countingKey(address: string): string {
  const bits = readAddress(address)
  if (bits === undefined) return address
  return isIpv4(bits) ? writeAddress(bits) : `${writeAddress((bits >> 64n) << 64n)}/64`
}

const isIpv4 = (bits: AddressBits): boolean => bits >> 32n === MAPPED >> 32n

/** Undefined if the text is not an address. */
function readAddress(text: string): AddressBits | undefined {
  const ipv4 = readIpv4(text)
  if (ipv4 !== undefined) return MAPPED | ipv4
  // A zone (`fe80::1%eth0`) names an interface of this machine, not a part of the address.
  const withoutZone = text.replace(/%[\w.-]{1,32}$/, '')
  if (!/^[\da-f:.]{2,45}$/i.test(withoutZone) || !withoutZone.includes(':')) return undefined
  if (!URL.canParse(`http://[${withoutZone}]`)) return undefined
  const [headGroups = '', tailGroups] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::')
  const leftGroups = headGroups === '' ? [] : headGroups.split(':')
  const rightGroups = tailGroups === undefined || tailGroups === '' ? [] : tailGroups.split(':')
  const zeroGroups = Array.from({ length: 8 - leftGroups.length - rightGroups.length }, () => '0')
  return [...leftGroups, ...zeroGroups, ...rightGroups].reduce(
    (bits, group) => (bits << 16n) | BigInt(`0x${group}`),
    0n,
  )
}

function readIpv4(text: string): bigint | undefined {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  if (!octets || octets.some((part) => part > 255)) return undefined
  return octets.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function writeAddress(bits: AddressBits): string {
  if (isIpv4(bits)) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
  const hexGroups = Array.from({ length: 8 }, (_, at) =>
    ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  )
  return new URL(`http://[${hexGroups.join(':')}]`).hostname.slice(1, -1)
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

function readRange(text: string): AddressRange {
  const [address = '', length, ...rest] = text.split('/')
  const bits = readAddress(address)
  const width = bits !== undefined && readIpv4(address) !== undefined ? 32 : 128
  const prefixLength = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : -1
  if (bits === undefined || rest.length > 0 || prefixLength < 0 || prefixLength > width)
    throw new TypeError(`"${text}" is not an address, a CIDR range such as 10.0.0.0/8, or loopback`)
  const hostBits = BigInt(width - prefixLength)
  const first = (bits >> hostBits) << hostBits
  return { first, last: first | ((1n << hostBits) - 1n) }
}
