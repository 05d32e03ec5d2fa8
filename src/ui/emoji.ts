const EMOJI_ALONE =
  /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|️|‍\p{Extended_Pictographic})*\s*){1,3}$/u

/** Whether a text is one to three emoji and nothing else, which are drawn large. */
export const isEmojiAlone = (text: string): boolean => EMOJI_ALONE.test(text)
