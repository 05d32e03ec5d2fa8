// Cuts a Markdown file into passages, one per heading, and each passage into blocks that stay whole.

import MarkdownIt from 'markdown-it'
import { type Language, languageOf } from '../language.ts'
import { splitFrontMatter } from './front-matter.ts'
import { readHints } from './hints.ts'
import { textOfHtml, withoutHtml } from './html.ts'

/** One block of a passage: a paragraph, a list, a table, a piece of code. `source` is Markdown. */
export type Block = { kind: 'prose' | 'list' | 'table' | 'code'; source: string }

/** The text under one heading of a file, up to the next heading of any level. */
export type Passage = {
  /** Path below the folder, with `/` between its parts. */
  file: string
  /** The title of the file: from its front matter, else its first heading, else its name. */
  title: string
  /** Of the file: a passage alone may have too few words to tell. */
  language: Language
  /** Plain text of the heading; the title for text above the first heading. */
  heading: string
  /** Anchor of the heading, unique in the file; empty above the first heading. */
  slug: string
  /** Headings above this one, outermost first. */
  above: readonly string[]
  /** Questions of the front matter that this passage answers. They belong to the first passage of a file. */
  questions: readonly string[]
  /** Words in which visitors ask for this passage, from `asked` in the front matter of its file. They are never shown. */
  asked: readonly string[]
  blocks: readonly Block[]
}

/** Parses only the blocks of a file, which makes reading thousands of files fast. */
const markdown = new MarkdownIt('default', { html: true }).disable(['inline', 'text_join'])
// Nothing reads the addresses of link definitions.
markdown.normalizeLink = (address) => address

/**
 * Passages of one file, in order. A heading without a block below it gives no passage. `tell` is called with a sentence about each part of
 * the front matter that is left out.
 */
export function readPassages(text: string, file: string, tell: (flaw: string) => void = () => {}): Passage[] {
  const { values, body, flaw } = splitFrontMatter(text.replace(/\r\n?/g, '\n').replaceAll('\0', ''))
  if (flaw) tell(`The front matter of ${file} is left out: it ${flaw}.`)
  const lines = body.split('\n')
  const sections = readSections(body, lines)
  const first = sections.find(({ level }) => level > 0)
  const title = titleOf(file, values, first)
  const language = languageOf(body, 'en')
  const leftOut = (hint: string, why: string) => tell(`A hint in ${file} is left out: ${hint} ${why}.`)
  const hints = readHints(values.get('asked') ?? [], language, leftOut)
  const passages: Passage[] = []
  const open: { level: number; heading: string }[] = []
  const slugFor = createSlugs()
  for (const { level, heading, blocks } of sections) {
    while (level > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop()
    const above = open.map((each) => each.heading)
    if (level > 0) open.push({ level, heading })
    const slug = level > 0 ? slugFor(heading) : ''
    if (blocks.length === 0) continue
    const isFirst = passages.length === 0
    const questions = isFirst ? (values.get('questions') ?? []) : []
    const asked = hints
      .filter(({ section }) => (section === undefined ? isFirst : section === slug))
      .map(({ words }) => words)
    passages.push({ file, title, language, heading: heading || title, slug, above, questions, asked, blocks })
  }
  const known = new Set(passages.map(({ slug }) => slug))
  for (const { section, words } of hints)
    if (section !== undefined && !known.has(section))
      leftOut(`"#${section}: ${words}"`, 'names no heading with a text below it')
  return passages
}

type Section = { level: number; heading: string; blocks: Block[] }

function readSections(body: string, lines: readonly string[]): Section[] {
  const sections: Section[] = [{ level: 0, heading: '', blocks: [] }]
  const tokens = markdown.parse(body, {})
  for (const [index, token] of tokens.entries()) {
    if (token.level !== 0 || !token.map) continue
    if (token.type === 'heading_open') {
      const heading = headingOf(tokens[index + 1]?.content ?? '')
      sections.push({ level: Number(token.tag.slice(1)), heading, blocks: [] })
      continue
    }
    if (token.type === 'hr') continue
    const kind = kindOf(token.type)
    const written = lines.slice(...token.map).join('\n')
    const source = (token.type === 'html_block' ? textOfHtml(written) : readable(written, kind)).trimEnd()
    if (source) sections.at(-1)?.blocks.push({ kind, source })
  }
  return sections
}

function kindOf(type: string): Block['kind'] {
  if (type === 'fence' || type === 'code_block') return 'code'
  if (type === 'table_open') return 'table'
  return type === 'bullet_list_open' || type === 'ordered_list_open' ? 'list' : 'prose'
}

/** The Markdown of a block as an answer shows it. */
function readable(source: string, kind: Block['kind']): string {
  if (kind === 'code') return source
  return kind === 'table' ? withoutHtml(source, ' ') : unwrap(withoutHtml(source, '  \n'))
}

/** Lines that begin a block of their own: list items, quotes, tables, fences, indented code. */
const BLOCK = /^(\s*([-*+>|#]\s|\d+[.)]\s|`{3}|~{3})|\s{4,}[-*+]|\s*$)/

/** The end of a line behind which another line begins: a blank one, a break, a fence. */
const BREAKS = /^\s*$| {2}$|\\$|```$/

/** Joins lines that were wrapped for an editor, since a chat shows line breaks. */
function unwrap(source: string): string {
  let text = ''
  let last = ''
  let fenced = false
  for (const [index, line] of source.split('\n').entries()) {
    const isFence = /^\s*(```|~~~)/.test(line)
    const joins = index > 0 && !fenced && !isFence && !BLOCK.test(line) && !BREAKS.test(last)
    last = joins ? ` ${line.trim()}` : line
    text += joins || index === 0 ? last : `\n${last}`
    if (isFence) fenced = !fenced
  }
  return text
}

/** Text of a line of Markdown, without its marks: links by their text, code without backticks. */
export const plainText = (source: string): string =>
  source
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/[`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Text of a heading in Markdown. */
export const headingOf = (source: string): string => plainText(withoutHtml(source, ' '))

/** Anchor of a heading in the form that GitHub and most renderers use. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Anchor of a heading without letters and digits. */
const NAMELESS = 'section'

/** Gives the headings of one file their anchors, in the order of the headings: each is unique, and none is empty. */
export function createSlugs(): (heading: string) => string {
  /** The anchors in use, each with the last number that was added to it. */
  const used = new Map<string, number>()
  return (heading) => {
    const base = slugOf(heading) || NAMELESS
    let count = used.get(base) ?? 0
    let slug = base
    while (used.has(slug)) slug = `${base}-${++count}`
    used.set(base, count)
    if (slug !== base) used.set(slug, 0)
    return slug
  }
}

/** The title of a file: from its front matter, else its first heading if that is of the first level, else its name in words. */
export const titleOf = (
  file: string,
  values: ReadonlyMap<string, readonly string[]>,
  first: { level: number; heading: string } | undefined,
): string => values.get('title')?.[0] || (first?.level === 1 ? first.heading : '') || nameInWords(file)

function nameInWords(file: string): string {
  const name = file.replace(/.*\//, '').replace(/\.\w+$/, '')
  const words = name.replace(/[-_]+/g, ' ').trim() || name
  return words.charAt(0).toUpperCase() + words.slice(1)
}
