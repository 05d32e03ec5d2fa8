// Lets an answer through as it streams, without images and without links that nobody gave.

/** A longer run without its end is text. */
const LONGEST_LINK = 2_000
const IMAGE_OR_LINK = /^!?\[((?:[^[\]\\\n]|\\.)*)\]\(\s*<?([^()<>\s]*)>?(?:\s+"[^"\n]*")?\s*\)/
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s<>()[\]"'`|]+/i
/** What may begin an image, a link or an address: everything before it can be shown. */
const BEGINNING =
  /!?\[|h(?:t(?:t(?:p(?:s?(?::(?:\/(?:\/.*)?)?)?)?)?)?)?$|https?:\/\/|w(?:w(?:w\.?)?)?$|www\.|!$/i

export type LinkGate = {
  /** The text that can be shown now. */
  push(piece: string): string
  /** What was held back. */
  rest(): string
}

/** `isGiven`: whether an address was in the sources or the instructions. Other links keep their text only. */
export function createLinkGate(isGiven: (address: string) => boolean): LinkGate {
  let held = ''

  function release(isEnd: boolean): string {
    let shown = ''
    for (;;) {
      const at = held.search(BEGINNING)
      if (at === -1) {
        shown += held
        held = ''
        return shown
      }
      shown += held.slice(0, at)
      held = held.slice(at)
      const link = IMAGE_OR_LINK.exec(held)
      if (link) {
        const [whole, text = '', target = ''] = link
        shown += !whole.startsWith('!') && isGiven(target) ? whole : text
        held = held.slice(whole.length)
        continue
      }
      const address = ADDRESS.exec(held)?.[0]
      if (address && (isEnd || address.length < held.length)) {
        const bare = address.replace(/[.,;:!?*_]+$/, '')
        shown += isGiven(bare) ? address : address.slice(bare.length)
        held = held.slice(address.length)
        continue
      }
      if (!isEnd && held.length < LONGEST_LINK && mayStillBegin(held)) return shown
      // Not a link: its first character is text.
      shown += held.slice(0, 1)
      held = held.slice(1)
    }
  }

  return {
    push(piece) {
      held += piece
      return release(false)
    },
    rest: () => release(true),
  }
}

/** Whether more text could make an image, a link or an address of it. */
function mayStillBegin(held: string): boolean {
  if (held.startsWith('[') || held.startsWith('!['))
    return /^!?\[(?:[^[\]\\\n]|\\.?)*(?:\](?:\([^()\n]*)?)?$/.test(held)
  return held === '!' || /^(?:h|ht|htt|https?:?\/?\/?|w|ww|www\.?|(?:https?:\/\/|www\.)\S*)$/i.test(held)
}

/** Every address in a text. */
export const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:https?:\/\/|www\.|mailto:|tel:)[^\s<>()[\]"'`|]+/gi)].map(([address]) =>
    bareAddress(address),
  )

/** Without what ends a sentence, for comparing. */
export const bareAddress = (address: string): string => address.replace(/[.,;:!?*_/]+$/, '')
