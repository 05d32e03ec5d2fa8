// Reads a Markdown file, and draws it as HTML that runs nothing.

import MarkdownIt from 'markdown-it'
import {
  headingOf,
  type Passage,
  plainText,
  readPassages,
  slugOf,
  splitFrontMatter,
} from '../agents/index.ts'
import { type Direction, directionOf, languageOfText } from './language.ts'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

export type Page = {
  /** Path below the folder, with `/` between its parts. */
  file: string
  title: string
  /** A BCP 47 tag. */
  language: string
  direction: Direction
  /** The Markdown without its front matter. */
  body: string
  /** How many lines of the file stand before the body. */
  linesBefore: number
  passages: readonly Passage[]
  /** The headings of the second level, with their anchors. */
  sections: readonly { heading: string; slug: string }[]
  /** The anchors of all headings, and those that the page sets itself. */
  anchors: ReadonlySet<string>
}

/** Where a link or a picture leads. `line`: of the file. */
export type Target = { to: string; line: number; isPicture: boolean }
/** The address to write for a target. */
export type AddressOf = (target: Target) => string

/** HTML in a file is shown as text, never run; but for line breaks, anchors and comments. */
const markdown = new MarkdownIt({ html: true, linkify: false })
// Browsers leave out control characters, also those within the name of a scheme, and encode the rest themselves.
markdown.normalizeLink = (address) => address.replace(/[\p{Cc} ]/gu, encodeURIComponent)
markdown.normalizeLinkText = (address) => address
export const escapeHtml = markdown.utils.escapeHtml
const { rules } = markdown.renderer
const isComment = (html: string) => html.startsWith('<!--') && html.endsWith('-->')
const isBreak = (html: string) => /^<br\s*\/?>$/i.test(html)
/** `<a id="prices"></a>`, which pages have whose headings changed their words. */
const ANCHOR = /^<a\s+(?:id|name)=(["']?)([^"'<>\s]+)\1\s*>/i
rules.html_block = (tokens, at) => {
  const html = tokens[at]?.content.trim() ?? ''
  if (isComment(html)) return ''
  return `<p>${drawHtml(tokens[at]) ?? escapeHtml(html)}</p>\n`
}
rules.html_inline = (tokens, at) => {
  const html = tokens[at]?.content ?? ''
  if (isComment(html)) return ''
  return isBreak(html) ? '<br>' : (drawHtml(tokens[at]) ?? escapeHtml(html))
}
/** The anchor that `readTokens` found in a piece of HTML; empty for its end. */
const drawHtml = (token: Token | undefined): string | undefined => {
  const anchor: unknown = token?.meta?.anchor
  if (typeof anchor !== 'string') return undefined
  return anchor && `<a id="${escapeHtml(anchor)}"></a>`
}
rules.table_open = () => '<div class="table"><table>\n'
rules.table_close = () => '</table></div>\n'

/** A shorter text has too few words to tell its language. */
const FEWEST_LETTERS = 200

/** `language`: of a page that does not name its own in `lang:` of its front matter. */
export function readPage(text: string, file: string, language?: string): Page {
  const { values, body, lines } = splitFrontMatter(text)
  const passages = readPassages(text, file)
  const { headings, anchors } = readTokens(body)
  const [first] = headings
  const named = [values.get('lang')?.[0], language].find(
    (tag) => tag && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag),
  )
  const told = body.length < FEWEST_LETTERS ? undefined : passages[0]?.language
  const tag = named ?? languageOfText(body) ?? told ?? 'en'
  return {
    file,
    title: passages[0]?.title ?? (first?.heading || file.replace(/^.*\/|\.\w+$/g, '')),
    language: tag,
    direction: directionOf(tag),
    body,
    linesBefore: lines,
    passages,
    sections: headings.flatMap(({ token, heading, slug }) => (token.tag === 'h2' ? { heading, slug } : [])),
    anchors,
  }
}

/** Draws the page. Cells get classes for their sides, since the page's policy allows no `style`. */
export function drawPage(page: Page, addressOf: AddressOf): string {
  const { tokens, headings } = readTokens(page.body)
  for (const { token, slug } of headings) token.attrSet('id', slug)
  let line = 0
  for (const token of tokens) {
    const side = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    if (side) token.attrSet('class', side)
    line = token.map?.[0] ?? line
    let breaks = 0
    for (const child of token.children ?? []) {
      if (/^(soft|hard)break$/.test(child.type)) breaks++
      const attribute = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined
      const to = String((attribute && child.attrGet(attribute)) ?? '')
      if (!attribute || to === '') continue
      const target = { to, line: page.linesBefore + line + breaks + 1, isPicture: attribute === 'src' }
      child.attrSet(attribute, addressOf(target))
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}

/** Parses a page, and marks the anchors in its HTML. The first of several with one name counts, and a heading before all. */
function readTokens(body: string) {
  const tokens = markdown.parse(body, {})
  const headings = headingsOf(tokens)
  const anchors = new Set(headings.map(({ slug }) => slug))
  for (const token of tokens) {
    let open = 0
    for (const each of token.type === 'html_block' ? [token] : (token.children ?? [])) {
      const [tag = '', , name = ''] = ANCHOR.exec(each.content) ?? []
      const rest = each.content.slice(tag.length).trim()
      const begins = each.type === 'html_inline' ? rest === '' : /^<\/a>$/i.test(rest)
      if (tag && /^html_/.test(each.type) && begins) {
        each.meta = { anchor: anchors.has(name) ? '' : name }
        anchors.add(name)
        if (each.type === 'html_inline') open++
      } else if (each.type === 'html_inline' && open > 0 && /^<\/a>$/i.test(each.content)) {
        each.meta = { anchor: '' }
        open--
      }
    }
  }
  return { tokens, headings, anchors }
}

/** The headings that passages begin with, with the anchors that the guide links to. */
function headingsOf(tokens: readonly Token[]): { token: Token; heading: string; slug: string }[] {
  const counts = new Map<string, number>()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return []
    const heading = headingOf(tokens[index + 1]?.content ?? '')
    const base = slugOf(heading)
    const count = counts.get(base) ?? 0
    counts.set(base, count + 1)
    return { token, heading, slug: count === 0 ? base : `${base}-${count}` }
  })
}

const LONGEST_SENTENCE = 240

/** The first sentence below the title, as plain text; empty for a page that begins with something else. */
export function firstSentence({ passages, title }: Page): string {
  const opening = passages.find(({ heading }) => heading === title)
  const block = opening?.blocks.find(({ kind }) => kind === 'prose')
  const prose = plainText(block?.source ?? '')
  const sentence = /^.+?(?:[.!?](?=\s|$)|[。！？])/su.exec(prose)?.[0] ?? prose
  return shortened(sentence, LONGEST_SENTENCE)
}

/** The text up to a whole word, with a mark where it goes on. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')} …` : text
