// Filters an answer as it streams: removes images, and links that no source contains.

/** An unfinished link longer than this is text. */
const LONGEST_LINK = 2_000
const IMAGE_OR_LINK = /^!?\[((?:[^[\]\\\n]|\\.)*)\]\(\s*<?([^()<>\s]*)>?(?:\s+"[^"\n]*")?\s*\)/
const ADDRESS = /^(?:https?:\/\/|www\.)[^\s<>()[\]"'`|]+/i
/** The possible beginning of an image, a link or an address; everything before it can be shown. */
const BEGINNING =
  /!?\[|h(?:t(?:t(?:p(?:s?(?::(?:\/(?:\/.*)?)?)?)?)?)?)?$|https?:\/\/|w(?:w(?:w\.?)?)?$|www\.|!$/i

export type LinkGate = {
  /** Takes a piece, and returns the text that can be shown now. */
  push(piece: string): string
  /** Returns the text that was held back. */
  rest(): string
}

/** `isGiven`: whether an address was in the sources or the instructions. Of other links only the text is kept. */
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

/** Whether more text could turn it into an image, a link or an address. */
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

/** Removes punctuation that ends a sentence, for comparisons. */
export const bareAddress = (address: string): string => address.replace(/[.,;:!?*_/]+$/, '')
