// Tells where the panel leads with a text, in each state in which it may be drawn. It is built as the panel is, for the browser.

import { Fragment, h, isValidElement, render } from 'preact'
import { parseBlocks } from '../../../../src/ui/answer/markdown.tsx'
import { createBlocks } from '../../../../src/ui/answer/stream.tsx'

/** The addresses of the links among nodes that are not drawn. Of the panel's components only those with an address make one. */
function linksOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(linksOf)
  if (!isValidElement(node)) return []
  const { type, props } = node as unknown as { type: unknown; props: { children?: unknown; href?: string } }
  if (typeof type === 'function' && props.href !== undefined) return linksOf(type(props))
  return [...(type === 'a' && props.href !== undefined ? [props.href] : []), ...linksOf(props.children)]
}

const wholeNodes = (text: string) => parseBlocks(text).blocks.map(({ node }) => node)
export const linksOfWhole = (text: string): string[] => linksOf(wholeNodes(text))

/** As a whole, and after each of its characters while it streams: each state with the links that can be pressed in it. */
export function* statesOf(text: string): Iterable<{ state: string; links: string[] }> {
  yield { state: 'whole', links: linksOfWhole(text) }
  const blocks = createBlocks()
  let shown = ''
  for (const sign of text) {
    shown += sign
    blocks.add(sign, false)
    yield { state: shown, links: linksOf(blocks.runs()) }
  }
  blocks.add('', true)
  yield { state: 'complete', links: linksOf(blocks.runs()) }
}

/** The links of one state, drawn in the page. */
export function draw(text: string, complete: boolean): { links: string[]; words: string } {
  const blocks = createBlocks()
  blocks.add(text, complete)
  const place = document.createElement('div')
  render(h(Fragment, null, complete ? wholeNodes(text) : blocks.runs()), place)
  const links = [...place.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href)
  const words = place.textContent ?? ''
  render(null, place)
  return { links, words }
}
