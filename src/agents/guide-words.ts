// What the guide says of itself. Everything else it says comes from the files.

export const GUIDE_NAME = 'Foyer guide'

export const words = {
  hello: (files: number) =>
    files === 0
      ? 'Hello! I answer questions from a folder of Markdown files, but the folder is empty. I can still show you the **tour**.'
      : `Hello! I answer questions from **${files} ${files === 1 ? 'file' : 'files'}**. Ask me anything about what they say, or take the **tour** of all that a chat can do.`,
  tour: 'Show me the tour',
  nothing: (files: number) =>
    files === 0
      ? 'I found nothing: the folder I answer from has no Markdown files.'
      : `I found nothing about that in my ${files === 1 ? 'file' : `${files} files`}. Try other words, or one of these.`,
  source: (file: string, heading: string) => `*From \`${file}\`, “${heading}”.*`,
  more: '…',
  noWords: 'Thank you, it arrived. I only understand words, though: ask me anything, or one of these.',
  /** What is offered where nothing was found. One of the phrases below is in it. */
  person: 'Talk to a real person',
  handoff: 'I’ll pass you on: somebody from the front desk will be with you as soon as they can.',
  handoffReason: 'The visitor asked for a person',
  handoffInCall:
    'I can’t pass a call on. Write to us in the chat or by text, and somebody from the front desk will answer you.',
}

/** Where one of these is said, somebody wants a person. Whole words in any case; apostrophes are straight. */
export const personPhrases: readonly string[] = [
  'talk to a person',
  'talk to a human',
  'talk to a real',
  'talk to somebody',
  'talk to someone',
  'talk with a person',
  'talk with a human',
  'speak to a person',
  'speak to a human',
  'speak to a real',
  'speak to somebody',
  'speak to someone',
  'speak with a person',
  'speak with a human',
  'chat with a human',
  'chat with a person',
  'real person',
  'real human',
  'human agent',
  'live agent',
  'human being',
  'mit einem menschen',
  'mit einer person sprechen',
  'mit jemandem sprechen',
  'mit einem mitarbeiter',
  'mit einer mitarbeiterin',
  'echten menschen',
  'parler à une personne',
  "parler à quelqu'un",
  'parler à un humain',
  'parler à un conseiller',
  'hablar con una persona',
  'hablar con alguien',
  'hablar con un agente',
  'parlare con una persona',
  'parlare con un operatore',
  'التحدث مع شخص',
  'التحدث إلى شخص',
  'أريد التحدث مع إنسان',
]
