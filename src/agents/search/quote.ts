// Formats a passage as an answer: whole blocks, working links, and the source.

import { stemOf, wordsOf } from '../language.ts'
import type { Block, Passage } from './passages.ts'
import type { Hit } from './rating.ts'

/** An answer omits blocks beyond this many characters. One block may be longer, since blocks stay whole. */
const LONGEST_QUOTE = 1_500
const MORE = '…'

/** Address of a file of the folder, with the anchor of a heading; undefined if files have no addresses. */
export type SourceAddress = (file: string, slug: string) => string | undefined

/**
 * Reads an address prefix. In it, `{file}` stands for the name of the file (`https://example.com/blob/main/docs/{file}`), and `{name}` for the name
 * without its ending (`https://example.com/{name}.html`); without them the latter is appended.
 */
export function sourceAddress(prefix: string | undefined): SourceAddress {
  if (!prefix) return () => undefined
  return (file, slug) => {
    const path = file.split('/').map(encodeURIComponent).join('/')
    const name = path.replace(/\.(md|markdown)$/i, '')
    const address = /\{(?:file|name)\}/.test(prefix)
      ? prefix.replace('{file}', () => path).replace('{name}', () => name)
      : prefix.replace(/\/?$/, '/') + name
    return slug ? `${address}#${encodeURIComponent(slug)}` : address
  }
}

/** Markdown of a passage: all of a short one, else the blocks that match best, of about `longest` characters. */
export function quote(
  { passage, words }: Pick<Hit, 'passage' | 'words'>,
  address: SourceAddress,
  longest = LONGEST_QUOTE,
): string {
  const chosen = chooseBlocks(passage.blocks, words, longest)
  let quotedText = ''
  let last = -1
  for (const index of chosen) {
    const block = passage.blocks[index]
    if (!block) continue
    const gap = index > last + 1 ? `${MORE}\n\n` : ''
    const source = block.kind === 'code' ? block.source : withLinks(block.source, passage.file, address)
    quotedText += `${quotedText ? '\n\n' : ''}${gap}${source}`
    last = index
  }
  return last < passage.blocks.length - 1 ? `${quotedText}\n\n${MORE}` : quotedText
}

/** Indexes of the blocks to show, in order. */
function chooseBlocks(blocks: readonly Block[], words: ReadonlySet<string>, longest: number): number[] {
  const sizes = blocks.map(({ source }) => source.length)
  if (sizes.reduce((sum, size) => sum + size, 0) <= longest) return blocks.map((_, index) => index)
  const askedStems = new Set(
    [...words].flatMap((word) => [stemOf(word, 'en'), stemOf(word, 'de'), stemOf(word, 'fr')]),
  )
  const ranked = blocks
    .map(({ source }, index) => {
      const blockStems = new Set(wordsOf(source).map((word) => stemOf(word, 'en')))
      const found = [...askedStems].filter((stem) => blockStems.has(stem)).length
      // Prefer the first block, which introduces the passage, and blocks that follow a chosen one.
      return { index, rank: found + (index === 0 ? 0.6 : 0) - index / 100 }
    })
    .sort((a, b) => b.rank - a.rank)
  const chosen: number[] = []
  let size = 0
  for (const { index } of ranked) {
    if (chosen.length > 0 && size + (sizes[index] ?? 0) > longest) continue
    chosen.push(index)
    size += sizes[index] ?? 0
  }
  return chosen.sort((a, b) => a - b)
}

/**
 * Turns links to files of the folder into their addresses, or into plain text if files have none. Replaces images
 * by their names.
 */
function withLinks(source: string, file: string, address: SourceAddress): string {
  return source.replace(
    /(!?)\[([^[\]\n]*)\]\(([^()\s]*)(?:\s+"[^"\n]*")?\)/g,
    (whole, image, text, target) => {
      if (/^(https?|mailto|tel):/i.test(target)) return image ? text : whole
      const [path = '', slug = ''] = target.split('#')
      const targetFile = path === '' ? file : resolvePath(file, path)
      const targetAddress =
        targetFile !== undefined && /\.(md|markdown)$/i.test(targetFile)
          ? address(targetFile, slug)
          : undefined
      return image || !targetAddress ? text : `[${text}](${targetAddress})`
    },
  )
}

/** Resolves a path relative to `file`; undefined if it leads out of the folder. */
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

/** A link to the source of the passage; its file and heading if files have no addresses. */
export function sourceOf({ file, heading, slug }: Passage, address: SourceAddress): string {
  const to = address(file, slug)
  return to ? `[${linkText(heading)}](${to})` : `\`${file}\`, “${heading}”`
}
