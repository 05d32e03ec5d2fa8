// Markdown to elements, never to HTML: markdown-it finds the structure, and each token becomes a node of a
// kind that stands in this file. Until it is loaded, answers are plain text.

import { type ComponentChildren, h, type VNode } from 'preact'
import { hiddenHost, parseMarkdown, splitAddresses, type Token } from '../../markdown/index.ts'
import { useWords } from '../context/context.ts'
import { CodeBlock } from './code.tsx'
import { Link } from './link.tsx'

/** Emphasis in emphasis, quotes in quotes: so deep, and what is further in is drawn without. */
const MAX_DEPTH = 50

/** What a bare address says of its host; a path that looks like a host names none. */
const said = (address: string) => address.replace(/^((?:https?:\/\/)?[^/?#]*).*$/is, '$1')

/** Plain text with its bare addresses as links. */
export const linked = (text: string): ComponentChildren[] =>
  splitAddresses(text).map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <Link href={part.href} host={hiddenHost(said(part.text), part.href)}>
        {part.text}
      </Link>
    ),
  )

/** One top-level block, and how many cells of tables are in it. */
export type Block = { node: VNode; cells: number }

/**
 * The blocks of a text. The last may still grow; those before it never change, whatever is added: a block of
 * Markdown is closed when another begins. `cells`: how many cells the blocks before this text have taken.
 */
export function parseBlocks(
  text: string,
  cells = 0,
): {
  blocks: Block[] /** Where the last block begins. */
  open: number
} {
  const tokens = parseMarkdown(text, cells)
  const starts = lineStarts(text)
  const blocks: Block[] = []
  let open = 0
  for (let index = 0; index < tokens.length; ) {
    const end = closing(tokens, index)
    const own = tokens.slice(index, end)
    open = starts[own[0]?.map?.[0] ?? 0] ?? text.length
    blocks.push({
      node: <>{nodes(own)}</>,
      cells: own.filter(({ type }) => type === 'td_open' || type === 'th_open').length,
    })
    index = end
  }
  return { blocks, open: blocks.length > 0 ? open : 0 }
}

/** One line without marks, behind the sign of an item or a heading at most: most of what a voice is given. */
const UNMARKED = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}) +)?(?![-+=\s]|\d+[.)])([^\\`*_~[\]<>&|#\0\r\n]*)\n?$/

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The words of a text, for a voice: no marks, no addresses, no fenced code. */
export function readWords(text: string): string {
  const [, unmarked] = UNMARKED.exec(text) ?? []
  if (unmarked !== undefined) return inOneLine(unmarked)
  const words: string[] = []
  const read = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.children) read(token.children)
      else if (token.type === 'fence' || token.type.endsWith('break')) words.push(' ')
      else words.push(token.content)
      // A block ends where a word ends.
      if (token.block) words.push(' ')
    }
  }
  read(parseMarkdown(text))
  return inOneLine(words.join(''))
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Behind the token that closes the one at `index`. */
function closing(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0
    if (depth <= 0) return at + 1
  }
  return tokens.length
}

type Open = {
  token: Token | undefined
  children: ComponentChildren[]
  /** The words of a link, as they come. */
  words: string
  /** The box of a task. */
  box: boolean | undefined
}

/** Each token is looked at once, however deep it lies. */
function nodes(tokens: readonly Token[]): ComponentChildren[] {
  const outer: Open[] = []
  let link: Open | undefined
  let children: ComponentChildren[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) {
      const isDrawn = outer.length < MAX_DEPTH
      const box = token.type === 'list_item_open' ? takeBox(tokens[index + 2]) : undefined
      const open = { token: isDrawn ? token : undefined, children, words: '', box }
      outer.push(open)
      if (isDrawn) children = []
      if (token.type === 'link_open') link = open
    } else if (token.nesting === 0) {
      if (link) link.words += token.content
      // A link holds no other.
      add(children, token.type === 'text' && !link ? linked(token.content) : leaf(token))
    } else {
      const parent = outer.pop()
      if (parent === link) link = undefined
      if (!parent?.token) continue
      add(parent.children, wrap(parent.token, children, parent))
      children = parent.children
    }
  }
  return children
}

/** Preact would make a component of a list among the children. */
function add(children: ComponentChildren[], drawn: ComponentChildren): void {
  for (const each of [drawn].flat()) children.push(each)
}

function wrap(token: Token, children: ComponentChildren[], { words, box }: Open): ComponentChildren {
  switch (token.type) {
    // The parser has one tag for each of these.
    case 'bullet_list_open':
    case 'blockquote_open':
    case 'thead_open':
    case 'tbody_open':
    case 'tr_open':
    case 'em_open':
    case 'strong_open':
    case 's_open':
      return h(token.tag, null, children)
    case 'paragraph_open':
      return token.hidden ? children : <p>{children}</p>
    case 'heading_open': {
      // The panel's own title is a second-level heading: those of an answer stand below it.
      const level = Number(token.tag.slice(1))
      return h(`h${Math.min(6, Math.max(3, level + 1))}`, { class: `h h${level}` }, children)
    }
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    case 'list_item_open':
      if (box === undefined) return <li>{children}</li>
      return (
        <li class="task">
          <TaskBox done={box} />
          {children}
        </li>
      )
    case 'table_open':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class="table" tabIndex={0}>
          <table>{children}</table>
        </div>
      )
    case 'th_open':
      return <th class={align(token)}>{children}</th>
    case 'td_open':
      return <td class={align(token)}>{children}</td>
    case 'link_open':
      return (
        <Link href={attribute(token, 'href')} host={hiddenHost(words, attribute(token, 'href'))}>
          {children}
        </Link>
      )
    default:
      return children
  }
}

/** Its words stand beside it, so its own name says its state: not every screen reader tells that of a disabled box. */
function TaskBox({ done }: { done: boolean }) {
  const say = useWords()
  return <input type="checkbox" checked={done} disabled aria-label={done ? say.taskDone : say.taskOpen} />
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')
const align = (token: Token): string | undefined => /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1]

/** Takes the box off a task (`[ ]`, `[x]`) whose words begin with this token; undefined where the item is none. */
function takeBox(inline: Token | undefined): boolean | undefined {
  const words = inline?.children?.[0]
  const [box, sign] = /^\[([ xX])\] /.exec(words?.content ?? '') ?? []
  if (!words || box === undefined) return undefined
  words.content = words.content.slice(box.length)
  return sign !== ' '
}

function leaf(token: Token): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return nodes(token.children ?? [])
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'code_inline':
      return <code>{token.content}</code>
    case 'fence':
    case 'code_block':
      return <CodeBlock code={token.content} language={token.info.trim().split(/\s+/)[0] ?? ''} />
    case 'hr':
      return <hr />
    case 'image':
      // An image that loads by itself tells its host who reads what: it becomes a link.
      return <Link href={attribute(token, 'src')}>{token.content || attribute(token, 'src')}</Link>
    default:
      return token.content
  }
}
