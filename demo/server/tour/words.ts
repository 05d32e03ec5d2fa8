// Holds the texts of the tour, and compares what the visitor types with them. The visitor taps or types the title of a step to get there.

export const steps = {
  long: 'A long answer',
  attachment: 'An attachment',
  image: 'An image',
  call: 'A phone button',
  language: 'Speak German',
  languageBack: 'Back to English',
  thinking: 'A pause to think',
  error: 'An error',
  handoff: 'A handoff',
  handoffClient: 'A handoff by the page',
  end: 'End the conversation',
} as const

export const tourWords = {
  start: 'Show me the tour',
  next: 'Next',
  back: 'Back to the assistant',
  long: `## A long answer

Answers stream as **Markdown**, and what is finished never moves again. A reload in the middle of one loses nothing.

### What it can hold

1. Lists, with *emphasis* and \`code\`
2. Tables that scroll inside themselves
3. Code with its language and a copy button

| Stop | Opens | Platform |
| :--- | ---: | ---: |
| Harbour | 06:30 | 2 |
| Old Market | 07:00 | 11 |
| Botanical Garden | 09:15 | 4 |

\`\`\`js
const chat = mount({ origin: 'https://chat.example.com' })
chat.on('message', ({ role, length }) => console.log(role, length))
\`\`\`

> What is said once should be readable twice.

Links such as [the example](https://example.com/a/rather/long/address) open in a new tab, and only if they lead to a page, an email address or a phone number.

That is the end of the long answer. Choose what to see next.`,
  attachment: 'An answer can carry a card that leads somewhere.',
  image:
    'An answer can carry an image. This one is drawn from text; one from elsewhere would wait for your tap, since its host would learn of you.',
  imageTitle: 'Hills under a low sun',
  call: 'An answer can offer a phone number to call.',
  callTitle: 'Call the front desk',
  language: 'Der Agent kann die Sprache wechseln, und das Fenster folgt ihm.',
  languageBack: 'The agent can change the language, and the window follows.',
  thinking: 'That took a moment. Meanwhile the three dots were breathing.',
  error: 'This answer will break off in the middle, and you will see what a',
  handoff:
    'I hand you over to a person. She is played by a script, but she sits at the real desk: the queue, the typing and the messages are those of any handoff.',
  handoffClient: 'Here the page itself is asked to take you further.',
  end: 'Thank you for your visit. This ends the conversation; a new one is one tap away.',
  sarahHello:
    'Hi, this is Sarah from the front desk. What can I do for you? Write “Back to the assistant” when you have seen enough.',
  sarahEcho: (text: string) =>
    `I see: “${text.slice(0, 200)}”. I’m only a script, so I can’t do much about it, but I did read it.`,
  sarahBye: 'I’ll give you back to the assistant. Write “Next” to go on with the tour. Goodbye!',
}

/** A text as the tour compares it: without the case of its letters and the marks at its end. */
export const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<![.!?])[.!?]+$/, '')
