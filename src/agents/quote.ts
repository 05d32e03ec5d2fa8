// Writes a passage as an answer: whole blocks, links that lead somewhere, and where it is from.

import { stemOf, wordsOf } from './language.ts'
import type { Block, Passage } from './passages.ts'
import type { Hit } from './search-index.ts'

/** Characters after which an answer leaves blocks out. A single block may be longer: it stays whole. */
const LONGEST_QUOTE = 1_500
const MORE = '…'

/** Address of a file of the folder, with the anchor of a heading; undefined where files have none. */
export type SourceAddress = (file: string, slug: string) => string | undefined

/**
 * Reads an address prefix. With `{file}` in it, the name of the file takes its place
 * (`https://example.com/blob/main/docs/{file}`); otherwise the name is appended without its ending.
 */
export function sourceAddress(prefix: string | undefined): SourceAddress {
  if (!prefix) return () => undefined
  return (file, slug) => {
    const path = file.split('/').map(encodeURIComponent).join('/')
    const address = prefix.includes('{file}')
      ? prefix.replace('{file}', () => path)
      : prefix.replace(/\/?$/, '/') + path.replace(/\.(md|markdown)$/i, '')
    return slug ? `${address}#${encodeURIComponent(slug)}` : address
  }
}

/** Markdown of a passage: all of it where it is short, else the blocks that fit the question best. */
export function quote({ passage, words }: Pick<Hit, 'passage' | 'words'>, address: SourceAddress): string {
  const chosen = chooseBlocks(passage.blocks, words)
  let text = ''
  let last = -1
  for (const index of chosen) {
    const block = passage.blocks[index]
    if (!block) continue
    const gap = index > last + 1 ? `${MORE}\n\n` : ''
    const source = block.kind === 'code' ? block.source : withLinks(block.source, passage.file, address)
    text += `${text ? '\n\n' : ''}${gap}${source}`
    last = index
  }
  return last < passage.blocks.length - 1 ? `${text}\n\n${MORE}` : text
}

/** Indexes of the blocks to show, in order. */
function chooseBlocks(blocks: readonly Block[], words: ReadonlySet<string>): number[] {
  const sizes = blocks.map(({ source }) => source.length)
  if (sizes.reduce((sum, size) => sum + size, 0) <= LONGEST_QUOTE) return blocks.map((_, index) => index)
  const asked = new Set(
    [...words].flatMap((word) => [stemOf(word, 'en'), stemOf(word, 'de'), stemOf(word, 'fr')]),
  )
  const ranked = blocks
    .map(({ source }, index) => {
      const own = new Set(wordsOf(source).map((word) => stemOf(word, 'en')))
      const found = [...asked].filter((stem) => own.has(stem)).length
      // A passage begins with what it is about, and a block is read better after the one before it.
      return { index, rank: found + (index === 0 ? 0.6 : 0) - index / 100 }
    })
    .sort((a, b) => b.rank - a.rank)
  const chosen: number[] = []
  let size = 0
  for (const { index } of ranked) {
    if (chosen.length > 0 && size + (sizes[index] ?? 0) > LONGEST_QUOTE) continue
    chosen.push(index)
    size += sizes[index] ?? 0
  }
  return chosen.sort((a, b) => a - b)
}

/** Links to files of the folder lead to their addresses; where files have none, their text stays. Images are named. */
function withLinks(source: string, file: string, address: SourceAddress): string {
  return source.replace(
    /(!?)\[([^\]\n]*)\]\(([^()\s]*)(?:\s+"[^"\n]*")?\)/g,
    (whole, image, text, target) => {
      if (/^(https?|mailto|tel):/i.test(target)) return image ? text : whole
      const [path = '', slug = ''] = target.split('#')
      const to = path === '' ? file : resolvePath(file, path)
      const found = to !== undefined && /\.(md|markdown)$/i.test(to) ? address(to, slug) : undefined
      return image || !found ? text : `[${text}](${found})`
    },
  )
}

/** A path beside `file`, within the folder; undefined where it leads out of it. */
function resolvePath(file: string, path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Text in square brackets of a link, with the marks that would end it escaped. */
export const linkText = (text: string): string => text.replace(/[[\]\\]/g, '\\$&')

/** A link to where the passage is from; its file and heading where files have no address. */
export function sourceOf({ file, heading, slug }: Passage, address: SourceAddress): string {
  const to = address(file, slug)
  return to ? `[${linkText(heading)}](${to})` : `\`${file}\`, “${heading}”`
}
