// What the gate passes on of a text of the model, after each piece.

import { createLinkGate } from '../../../../src/agents/llm/link-gate.ts'
import { GIVEN } from './texts.ts'

export function passedOn(text: string, size: number, tellLeftOut = () => {}): string[] {
  const { push, rest } = createLinkGate((href) => GIVEN.includes(href), tellLeftOut)
  const said = ['']
  const take = (more: string) => said.push(said.at(-1) + more)
  for (let at = 0; at < text.length; at += size) take(push(text.slice(at, at + size)))
  take(rest())
  return said
}
