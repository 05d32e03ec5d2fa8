// Writes Markdown as text for people: for a letter or an e-mail, which show no marks.

import { parseMarkdown, safeHref, type Token } from '../../markdown/index.ts'
import { bareAddress } from './link.tsx'

/** No marks but those of lists and quotations, addresses behind the words of their links, and tables as a line for each row. */
export const plainText = (text: string): string =>
  blocksOf(parseMarkdown(text).values()).filter(Boolean).join('\n\n')

/** Tokens in their order, each taken once: what opens a block leaves behind the token that closes it. */
type Tokens = IterableIterator<Token>

/** The blocks up to the end of the block that they are in. */
function blocksOf(tokens: Tokens): string[] {
  const blocks: string[] = []
  for (const token of tokens) {
    if (token.nesting === -1) break
    blocks.push(blockOf(token, tokens))
  }
  return blocks
}

function blockOf(token: Token, inside: Tokens): string {
  switch (token.type) {
    case 'inline':
      return lineOf(token.children ?? [])
    case 'fence':
    case 'code_block':
      return token.content.replace(/\n$/, '')
    case 'hr':
      return '———'
    case 'blockquote_open':
      return `> ${blocksOf(inside).join('\n\n').replaceAll('\n', '\n> ')}`
    case 'bullet_list_open':
      return blocksOf(inside)
        .map((item) => hang('• ', item))
        .join('\n')
    case 'ordered_list_open': {
      const start = Number(token.attrGet('start') ?? 1)
      return blocksOf(inside)
        .map((item, index) => hang(`${start + index}. `, item))
        .join('\n')
    }
    case 'table_open':
      return rowsOf(inside).join('\n')
    default:
      return blocksOf(inside).join('\n')
  }
}

/** An item with its sign, which a task brings along, and its further lines below its words. */
function hang(sign: string, item: string): string {
  const [box] = /^\[[ xX]\] /.exec(item) ?? []
  if (box) return hang(box === '[ ] ' ? '☐ ' : '☑ ', item.slice(box.length))
  return sign + item.replace(/\n(?!\n)/g, `\n${' '.repeat(sign.length)}`)
}

/** Each cell with the name of its column, since columns made of spaces stand in line in no e-mail. */
function rowsOf(inside: Tokens): string[] {
  const rows: string[][] = []
  for (const { type, children } of inside) {
    if (type === 'table_close') break
    if (type === 'tr_open') rows.push([])
    if (type === 'inline') rows.at(-1)?.push(lineOf(children ?? []))
  }
  const [names = [], ...lines] = rows
  if (lines.length === 0) return names
  return lines.map((cells) => {
    const named = cells.map((cell, at) => (cell && names[at] ? `${names[at]}: ${cell}` : cell))
    return `• ${named.filter(Boolean).join('; ')}`
  })
}

/** A run of words. */
function lineOf(tokens: readonly Token[]): string {
  let line = ''
  let link = { from: 0, href: '' }
  for (const token of tokens) {
    if (token.type === 'link_open') link = { from: line.length, href: String(token.attrGet('href')) }
    else if (token.type === 'link_close') line += addressBehind(line.slice(link.from), link.href)
    else if (token.type === 'image')
      line += token.content + addressBehind(token.content, String(token.attrGet('src')))
    else line += token.type.endsWith('break') ? '\n' : token.content
  }
  return line
}

/** What follows the words of a link: nothing where they are its address, or where it may not be followed. */
function addressBehind(words: string, href: string): string {
  const address = (safeHref(href) ?? '').replace(/^(mailto|tel):/, '')
  if (bareAddress(words) === bareAddress(address) || address === '') return ''
  return words === '' ? address : ` (${address})`
}
