// Writes the answers and messages of the bench: the same words for every contestant.

/** The last words of every answer; a contestant that shows them has shown all of it. */
export const LAST_WORDS = 'That is all.'

const PARTS = [
  (n: number) => `## Step ${n}\n\n`,
  (n: number) =>
    `Take the **front wheel** out and lay the bicycle on its left side. The chain then hangs free, and you can reach the ${n} links that matter with *one hand*. `,
  () =>
    'Clean each link with a dry cloth before you oil it, since oil on dirt makes a paste that wears the teeth.\n\n',
  () => '- Turn the pedals backwards\n- Let one drop fall on each `link`\n- Wipe off what does not go in\n\n',
  (n: number) => `1. Loosen the axle by ${n} turns\n2. Pull the wheel back\n3. Tighten both sides evenly\n\n`,
  (n: number) =>
    `\`\`\`js\nconst slack = measure(chain, { links: ${n} })\nif (slack > 12) replace(chain)\n\`\`\`\n\n`,
  () => 'See [the table of sizes](https://example.com/sizes) for the right tool. ',
  () => '\n\n| Gear | Teeth |\n| :-- | --: |\n| small | 11 |\n| large | 32 |\n\n',
]

/** An answer of exactly `length` characters of Markdown. */
export function answerOf(length: number): string {
  const room = length - LAST_WORDS.length - 2
  let text = ''
  for (let n = 1; text.length < room; n++) text += PARTS.map((part) => part(n)).join('')
  // What is cut in the middle of a fence would swallow the last words.
  const cut = text.slice(0, room)
  const isInFence = (cut.match(/```/g)?.length ?? 0) % 2 === 1
  const whole = isInFence ? cut.slice(0, cut.lastIndexOf('```')) : cut
  return `${whole.padEnd(room, ' more')}\n\n${LAST_WORDS}`
}

export const piecesOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )

export type Line = { role: 'visitor' | 'agent'; text: string }

/** The begin of the words of message `n`, by which it is found on the screen. */
export const nameOf = (n: number): string => `Message ${n}:`

/** Message `n`, counted from 1. The visitor says every second one, the agent all even ones. */
export const lineOf = (n: number): Line => ({
  role: n % 2 === 1 ? 'visitor' : 'agent',
  text: `${nameOf(n)} the chain of bicycle ${n * 7} has **${n % 30} links** too many, and its saddle stands ${n % 9} mm too low.`,
})
