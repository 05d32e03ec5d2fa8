// Cuts a text that arrives in pieces into chunks that end at the end of a word.

/** A run of more characters without whitespace may be cut between graphemes. */
const LONGEST_RUN = 40
/** No grapheme has more characters; a longer run is cut between code points. */
const LONGEST_GRAPHEME = 200

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export interface WordCutter {
  /** Returns the chunks that can be sent now; holds back a word that may continue. */
  push(piece: string): string[]
  /** Returns the text that was held back. */
  rest(): string
}

/**
 * Chunks end with the whitespace behind a word, so that a reader who joins them with a space separates no
 * word. Whitespace that arrives later is a chunk of its own.
 */
export function createWordCutter(): WordCutter {
  let heldWord = ''
  /** Characters of the held word that were sent already. */
  let cutLength = 0

  /** Where the last grapheme begins, which may continue. */
  function lastGrapheme(text: string): number {
    const tail = Math.max(0, text.length - LONGEST_GRAPHEME)
    const graphemeStart = graphemes.segment(text.slice(tail)).containing(text.length - tail - 1)?.index ?? 0
    if (graphemeStart > 0 || tail === 0) return tail + graphemeStart
    return isLowSurrogate(text, text.length - 1) ? text.length - 2 : text.length - 1
  }

  return {
    push(piece) {
      const chunks: string[] = []
      let wordsEnd = piece.length
      while (wordsEnd > 0 && !isSpace(piece, wordsEnd - 1)) wordsEnd--
      if (wordsEnd > 0) {
        let start = 0
        if (heldWord === '') while (start < wordsEnd && isSpace(piece, start)) start++
        if (start > 0 && start < wordsEnd) chunks.push(piece.slice(0, start))
        chunks.push(heldWord + piece.slice(start < wordsEnd ? start : 0, wordsEnd))
        heldWord = ''
        cutLength = 0
      }
      heldWord += piece.slice(wordsEnd)
      if (cutLength + heldWord.length > LONGEST_RUN) {
        const cut = lastGrapheme(heldWord)
        if (cut > 0) chunks.push(heldWord.slice(0, cut))
        cutLength += cut
        heldWord = heldWord.slice(cut)
      }
      return chunks
    },
    rest() {
      const text = heldWord
      heldWord = ''
      cutLength = 0
      return text
    },
  }
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text.charAt(at))
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
