// Waits for words that are not English, so that they do not change before the reader's eyes.

/** The longest wait. After it the panel is shown in English. */
const WORDS_MS = 500

/** Resolves with the words, or after 500 ms. */
export const worded = (words: Promise<unknown>): Promise<unknown> =>
  Promise.race([words, new Promise((late) => setTimeout(late, WORDS_MS))])
