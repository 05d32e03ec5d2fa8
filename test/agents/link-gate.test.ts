// What of an answer of several paragraphs is looked at when. test/ui/answer/gate has what is drawn of it.

import { expect, it, vi } from 'vitest'
import { createLinkGate } from '../../src/agents/llm/link-gate.ts'

const OURS = 'https://shop.example.com/form'
const words = 'word '.repeat(30)
const paragraph = (text: string) => `${words}${text} ${words}\n\n`
const linkTo = (href: string) => `[it](${href})`

it.each([1, 7, 199, 100_000])(
  'each paragraph, fence and table is judged for itself, in pieces of %i characters',
  (size) => {
    const foreign = linkTo(`https://evil.example.com/${'path/'.repeat(8)}`)
    const table = `| a | b |\n| - | - |\n| ${linkTo(OURS)} | ${foreign} |\n\n`
    const fence = `\`\`\`\n${'code\n'.repeat(30)}\`\`\`\n\n`
    const text = [
      ...[paragraph(linkTo(OURS)), paragraph(foreign), paragraph(''), fence, paragraph(foreign)],
      ...[paragraph(linkTo(OURS)), table, table, `last ${foreign} ${words}`],
    ].join('')
    const tellLeftOut = vi.fn()
    const gate = createLinkGate((href) => href === OURS, tellLeftOut)
    let shown = ''
    for (let at = 0; at < text.length; at += size) {
      shown += gate.push(text.slice(at, at + size))
      expect(shown).not.toContain('evil')
    }
    shown += gate.rest()
    expect(shown).toBe(text.replaceAll(foreign, 'it'))
    expect(tellLeftOut).not.toHaveBeenCalled()
  },
)

it('words without a link are passed on as they come, behind a paragraph that had one too', () => {
  const gate = createLinkGate(
    () => true,
    () => {},
  )
  for (const text of [paragraph(linkTo(OURS)), 'Plain words. ', paragraph(linkTo(OURS)), 'Plain again. '])
    expect(gate.push(text).trimEnd()).toBe(text.trimEnd())
})

it.each(['https://evil.example.com/a', 'www.evil.example.com/a', '&#104;ttps://evil.example.com/a'])(
  'an address is found wherever a piece ends within it: %s',
  (address) => {
    for (const size of [1, 2, 3, 5]) {
      const gate = createLinkGate(
        () => false,
        () => {},
      )
      const text = `${words}${address} and ${words}`
      let shown = ''
      for (let at = 0; at < text.length; at += size) {
        shown += gate.push(text.slice(at, at + size))
        expect(shown).not.toMatch(/evil.+and/)
      }
      expect(shown + gate.rest()).not.toContain('evil')
    }
  },
)
