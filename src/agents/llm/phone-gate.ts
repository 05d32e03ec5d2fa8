// Judges an answer as a phone gets it: as plain words, in which phones make links of hosts and of phone numbers too.

import { splitAddresses } from '../../markdown/index.ts'
import { plainText } from '../../runtime/index.ts'
import type { IsGiven, LinkGate } from './link-gate.ts'

/** Marks within marks, and words that become an address once another one is gone. */
const MOST_ROUNDS = 4

/** A letter or digit of a host. Engines take many signs beyond ASCII. */
const SIGN = String.raw`(?:[\w-]|(?!\p{P})[^\0-\x7f\s])`
/** A full stop of Chinese and Japanese ends a sentence, unless Latin letters stand on both sides. */
const DOT = String.raw`(?:\.|(?<=\w)[。．｡](?=\w))`
/** A host without a scheme, with what follows it. */
const HOST = String.raw`(?:${SIGN}{1,63}${DOT}){1,8}(?!\p{Nd}|[_-])${SIGN}${SIGN}{1,62}(?:[:/?#]\S*)?`
/** What may stand between two digits of a phone number. */
const BETWEEN = String.raw`[ \xa0\u202f\u3000()[\].\-/\u2010-\u2015\u2212\x60*_~]{0,3}`
const NUMBER = String.raw`[+(]{0,2}\p{Nd}(?:${BETWEEN}\p{Nd}){6,}`
const CURRENCY = String.raw`(?:\p{Sc}|[A-Z]{3}\b)`
/** Digits that nobody calls. */
const PLAIN = [
  // The sign of an item.
  String.raw`(?<![^\n])[1-9]\d{0,2}[.)][ \t]`,
  // A date, or the years from one to another.
  String.raw`\d{4}[-./] ?\d\d?[-./] ?\d\d?(?!\d)|\d\d?[-./] ?\d\d?[-./] ?\d{4}(?!\d)|(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d(?!\d)`,
  // The hours from one to another.
  String.raw`\d\d?[.:]\d\d ?[-–—] ?\d\d?[.:]\d\d(?!\d)`,
  // An amount: groups of three digits after one or two, or after three with a currency or cents.
  String.raw`(?<![\d+(])[1-9]\d?(?<a>[., \xa0\u202f'’])\d{3}(?:\k<a>\d{3})*(?:[.,]\d\d?)?(?!${BETWEEN}\p{Nd})`,
  String.raw`(?<=${CURRENCY} ?)[1-9]\d\d(?<b>[., \xa0\u202f'’])\d{3}(?:\k<b>\d{3})*(?:[.,]\d\d?)?(?!${BETWEEN}\p{Nd})`,
  String.raw`(?<![\d+(])[1-9]\d\d(?<c>[., \xa0\u202f'’])\d{3}(?:\k<c>\d{3})*(?:[.,]\d\d?)?(?= ?${CURRENCY})`,
]
/** Sizes and hours are written in one or two digits. */
const DIALLED = /^[+(0]|\p{Nd}{3}/u
const WORDS = new RegExp(
  String.raw`(?<plain>${PLAIN.join('|')})|(?<number>${NUMBER})|(?<host>${HOST})|:\/\/(?=\S)`,
  'gu',
)

/** A host or a phone number in plain words. `said`: the same for all ways to write it; empty for the rest of an address. */
type PhoneAddress = { from: number; to: number; said: string; words: string }

function phoneAddresses(text: string): PhoneAddress[] {
  return [...text.matchAll(WORDS)].flatMap(({ 0: found, index, groups }): PhoneAddress[] => {
    if (groups?.plain || (groups?.number && !DIALLED.test(found))) return []
    const written = groups?.host ? found.replace(/[^\p{L}\p{N}/]+$/u, '') : found
    const place = { from: index, to: index + written.length }
    if (found === '://') return [{ from: index, to: index + 3, said: '', words: ':// ' }]
    if (groups?.number) return [{ ...place, said: digitsOf(written), words: '' }]
    // A space behind each dot leaves the words, and no host.
    return [{ ...place, said: hostOf(written), words: written.replace(ANY_DOT, '$& ') }]
  })
}

const ANY_DOT = new RegExp(String.raw`${DOT}(?=\S)`, 'gu')
/** The last nine digits: a number is the same with the code of its country and without it. */
const digitsOf = (number: string): string =>
  number
    .normalize('NFKC')
    .replace(/\P{Nd}/gu, '')
    .replace(/^0+/, '')
    .slice(-9)
const hostOf = (address: string): string =>
  address.toLowerCase().replace(/^(?:https?:\/\/)?(?:www\.)?|\/$/g, '')

/** What a text says that a phone would make a link of: hosts and numbers, in the one form in which `IsSaid` gets them. */
export const saidIn = (text: string): string[] => [
  ...phoneAddresses(text).flatMap(({ said }) => said || []),
  ...splitAddresses(text).flatMap((part) => (typeof part === 'string' ? [] : [hostOf(part.href)])),
]

/** Whether the sources, the instructions or the visitor said this host or this number. */
export type IsSaid = (said: string) => boolean

export type PhoneGateOptions = {
  /** Makes words of links first. */
  gate: LinkGate
  isGiven: IsGiven
  isSaid: IsSaid
  tellLeftOut(): void
}

/** Passes on nothing before the end: a text message is sent as a whole. */
export function createPhoneGate({ gate, isGiven, isSaid, tellLeftOut }: PhoneGateOptions): LinkGate {
  let text = ''

  /** The text without what was not given. */
  function mended(plain: string): string {
    let rest = ''
    for (const part of splitAddresses(plain, () => true)) {
      if (typeof part !== 'string') {
        if (isGiven(part.href, 'bare')) rest += part.text
        else if (part.href.startsWith('mailto:')) rest += part.text.replace(/\.(?=\S)/g, '. ')
        continue
      }
      let at = 0
      for (const { from, to, said, words } of phoneAddresses(part)) {
        rest += part.slice(at, from) + (isSaid(said) ? part.slice(from, to) : words)
        at = to
      }
      rest += part.slice(at)
    }
    return rest
  }

  return {
    push(piece) {
      text += gate.push(piece)
      return ''
    },
    rest() {
      let plain = text + gate.rest()
      for (let round = 0; round <= MOST_ROUNDS; round++) {
        // What the phone shows of it, and nothing of that has to be mended.
        if (plainText(plain) === plain && mended(plain) === plain) return plain
        plain = mended(plainText(plain))
      }
      tellLeftOut()
      return ''
    },
  }
}
