// Reads a Markdown file, and draws it as HTML that runs nothing.

import MarkdownIt from 'markdown-it'
import {
  createSlugs,
  headingOf,
  type Passage,
  plainText,
  readPassages,
  splitFrontMatter,
  titleOf,
} from '../agents/index.ts'
import { type Direction, directionOf, isLanguageTag, languageOfProse } from './language.ts'

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
  /** The parsed body. */
  tokens: Token[]
  passages: readonly Passage[]
  /** The first sentence below the title, as plain text; empty for a page that begins with something else. */
  description: string
  /** The headings of the second level, with their anchors. */
  sections: readonly { heading: string; slug: string }[]
  /** The anchors of all headings, and those that the page sets itself. */
  anchors: ReadonlySet<string>
  /** What is wrong with the front matter. */
  flaws: readonly string[]
}

/** Where a link or a picture leads. `line`: of the file. */
export type Target = { to: string; line: number; isPicture: boolean }
/** The address to write for a target. */
export type AddressOf = (target: Target) => string

/** Shows HTML of a file as text, except line breaks, anchors and comments. */
const markdown = new MarkdownIt({ html: true, linkify: false })
// A browser ignores control characters in an address, so that `java\tscript:` is a scheme: they are encoded, as spaces are. The browser encodes all
// other characters itself.
markdown.normalizeLink = (address) => address.replace(/[\p{Cc} ]/gu, encodeURIComponent)
markdown.normalizeLinkText = (address) => address
export const escapeHtml = markdown.utils.escapeHtml
const { rules } = markdown.renderer
const isComment = (html: string) => html.startsWith('<!--') && html.endsWith('-->')
const isBreak = (html: string) => /^<br\s*\/?>$/i.test(html)
/** `<a id="prices"></a>`, which keeps old links valid after a heading was renamed. */
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
/** Draws the anchor that `markAnchors` found in a piece of HTML; nothing for the anchor's end. */
const drawHtml = (token: Token | undefined): string | undefined => {
  const anchor: unknown = token?.meta?.anchor
  if (typeof anchor !== 'string') return undefined
  return anchor && `<a id="${escapeHtml(anchor)}"></a>`
}
rules.table_open = () => '<div class="table"><table>\n'
rules.table_close = () => '</table></div>\n'

const drawImage = rules.image
rules.link_open = (tokens, at, options, env, self) => {
  writeAddress(tokens[at], 'href', env)
  return self.renderToken(tokens, at, options)
}
rules.image = (tokens, at, options, env, self) => {
  writeAddress(tokens[at], 'src', env)
  return drawImage?.(tokens, at, options, env, self) ?? ''
}

type Env = { addressOf: AddressOf }

/** Writes the address for the target that `markTargets` found. */
function writeAddress(token: Token | undefined, attribute: string, env: unknown): void {
  const target = token?.meta?.target as Target | undefined
  if (target) token?.attrSet(attribute, (env as Env).addressOf(target))
}

/** A shorter text has too few words to tell its language. */
const FEWEST_LETTERS = 200

/** `language`: of a page that does not name its own in `lang:` of its front matter. */
export function readPage(text: string, file: string, language?: string): Page {
  const { values, body, lines, flaw } = splitFrontMatter(text)
  const passages = readPassages(text, file)
  const tokens = markdown.parse(body, {})
  const headings = markHeadings(tokens)
  const anchors = markAnchors(tokens, headings)
  markTargets(tokens, lines)
  markSides(tokens)
  const [first] = headings
  const named = values.get('lang')?.[0]
  const isTag = named !== undefined && isLanguageTag(named)
  const told = body.length < FEWEST_LETTERS ? undefined : passages[0]?.language
  const tag = (isTag ? named : language) ?? languageOfProse(proseOf(tokens)) ?? told ?? 'en'
  const flaws = flaw ? [`the front matter ${flaw}`] : []
  if (named !== undefined && !isTag) flaws.push('lang: is not a language tag such as en or pt-BR')
  return {
    file,
    title: titleOf(file, values, first),
    language: tag,
    direction: directionOf(tag),
    body,
    tokens,
    passages,
    description: firstSentence(passages, first?.level === 1 ? first.slug : ''),
    sections: headings.filter(({ level }) => level === 2),
    anchors,
    flaws,
  }
}

/** Draws a page, as often as it is asked for. */
export const drawPage = ({ tokens }: Page, addressOf: AddressOf): string =>
  markdown.renderer.render(tokens, markdown.options, { addressOf } satisfies Env)

/** The words of a page, without code and addresses. */
const proseOf = (tokens: readonly Token[]): string =>
  tokens
    .flatMap(({ children }) => children ?? [])
    .map(({ type, content }) => (type === 'text' ? content : ' '))
    .join('')

type Heading = { level: number; heading: string; slug: string }

/** Gives the headings that passages begin with the same anchors, which the guide links to. */
function markHeadings(tokens: readonly Token[]): Heading[] {
  const slugFor = createSlugs()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open' || token.level !== 0) return []
    const heading = headingOf(tokens[index + 1]?.content ?? '')
    const slug = slugFor(heading)
    token.attrSet('id', slug)
    return { level: Number(token.tag.slice(1)), heading, slug }
  })
}

/** Marks the anchors in a page's HTML. The first of several with one name counts, and a heading before all. Returns all anchors. */
function markAnchors(tokens: readonly Token[], headings: readonly Heading[]): ReadonlySet<string> {
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
  return anchors
}

/** Marks the links and pictures with their targets. `linesBefore`: lines of the file above the body. */
function markTargets(tokens: readonly Token[], linesBefore: number): void {
  let line = 0
  for (const token of tokens) {
    line = token.map?.[0] ?? line
    let breaks = 0
    for (const child of token.children ?? []) {
      if (/^(soft|hard)break$/.test(child.type)) breaks++
      const isPicture = child.type === 'image'
      if (!isPicture && child.type !== 'link_open') continue
      const to = String(child.attrGet(isPicture ? 'src' : 'href') ?? '')
      const target: Target = { to, line: linesBefore + line + breaks + 1, isPicture }
      if (to !== '') child.meta = { target }
    }
  }
}

/** Gives cells classes for their sides, since the page's policy allows no `style`. */
function markSides(tokens: readonly Token[]): void {
  for (const token of tokens) {
    const side = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    if (side) token.attrSet('class', side)
  }
}

const LONGEST_SENTENCE = 240

/** The first sentence of the text above the first heading, or below the title. `slug`: the title's; empty if no heading is the title. */
export function firstSentence(passages: readonly Pick<Passage, 'slug' | 'blocks'>[], slug: string): string {
  const opening = passages.filter((passage) => passage.slug === '' || passage.slug === slug)
  const block = opening.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'prose')
  const prose = plainText(block?.source ?? '')
  const sentence = /^.+?(?:[.!?](?=\s|$)|[。！？])/su.exec(prose)?.[0] ?? prose
  return shortened(sentence, LONGEST_SENTENCE)
}

/** The text up to a whole word, with a mark where it goes on. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')} …` : text
