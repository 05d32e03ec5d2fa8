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

/** `isGiven`: whether an address was in the sources or the instructions. The gate keeps only the text of other links. */
export function createLinkGate(isGiven: (address: string) => boolean): LinkGate {
  let heldText = ''

  function releaseText(isEnd: boolean): string {
    let passedText = ''
    for (;;) {
      const linkStart = heldText.search(BEGINNING)
      if (linkStart === -1) {
        passedText += heldText
        heldText = ''
        return passedText
      }
      passedText += heldText.slice(0, linkStart)
      heldText = heldText.slice(linkStart)
      const linkMatch = IMAGE_OR_LINK.exec(heldText)
      if (linkMatch) {
        const [whole, text = '', target = ''] = linkMatch
        passedText += !whole.startsWith('!') && isGiven(target) ? whole : text
        heldText = heldText.slice(whole.length)
        continue
      }
      const address = ADDRESS.exec(heldText)?.[0]
      if (address && (isEnd || address.length < heldText.length)) {
        const bare = address.replace(/[.,;:!?*_]+$/, '')
        passedText += isGiven(bare) ? address : address.slice(bare.length)
        heldText = heldText.slice(address.length)
        continue
      }
      if (!isEnd && heldText.length < LONGEST_LINK && mayStillBegin(heldText)) return passedText
      // Not a link: its first character is text.
      passedText += heldText.slice(0, 1)
      heldText = heldText.slice(1)
    }
  }

  return {
    push(piece) {
      heldText += piece
      return releaseText(false)
    },
    rest: () => releaseText(true),
  }
}

/** Whether more text could turn `heldText` into an image, a link or an address. */
function mayStillBegin(heldText: string): boolean {
  if (heldText.startsWith('[') || heldText.startsWith('!['))
    return /^!?\[(?:[^[\]\\\n]|\\.?)*(?:\](?:\([^()\n]*)?)?$/.test(heldText)
  return (
    heldText === '!' || /^(?:h|ht|htt|https?:?\/?\/?|w|ww|www\.?|(?:https?:\/\/|www\.)\S*)$/i.test(heldText)
  )
}

/** Every address in a text. */
export const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:https?:\/\/|www\.|mailto:|tel:)[^\s<>()[\]"'`|]+/gi)].map(([address]) =>
    bareAddress(address),
  )

/** Removes punctuation that ends a sentence, for comparisons. */
export const bareAddress = (address: string): string => address.replace(/[.,;:!?*_/]+$/, '')
