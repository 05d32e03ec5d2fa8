// Markdown to elements, never to HTML: markdown-it finds the structure, and each token becomes a node of a
// kind that stands in this file. Until it is loaded, answers are plain text.

import { type ComponentChildren, h, type VNode } from 'preact'
import {
  type Block,
  hiddenHost,
  parseMarkdown,
  splitAddresses,
  splitBlocks,
  type Token,
} from '../../markdown/index.ts'
import { useWords } from '../context/context.ts'
import { CodeBlock } from './code.tsx'
import { Link, type LinkProps } from './link.tsx'

/** Emphasis in emphasis, quotes in quotes: so deep, and what is further in is drawn without. */
const MAX_DEPTH = 50

/** Looks like a link, and leads nowhere yet. */
function OpenLink(link: LinkProps) {
  const { type, props } = Link(link)
  return h(type as 'a', { ...props, href: undefined })
}
const linkFor = (isLive: boolean) => (isLive ? Link : OpenLink)

/** What a bare address says of its host; a path that looks like a host names none. */
const said = (address: string) => address.replace(/^((?:https?:\/\/)?[^/?#]*).*$/is, '$1')

/** Plain text with its bare addresses as links. */
export function linked(text: string, isLive = true): ComponentChildren[] {
  const Linked = linkFor(isLive)
  return splitAddresses(text).map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <Linked href={part.href} host={hiddenHost(said(part.text), part.href)}>
        {part.text}
      </Linked>
    ),
  )
}

/** `isLive`: its links lead somewhere. */
export const drawBlock = ({ tokens }: Block, isLive: boolean): VNode => <>{nodes(tokens, isLive)}</>

/** The blocks of a whole text. */
export const parseBlocks = (text: string): { blocks: { node: VNode }[] } => ({
  blocks: splitBlocks(text).map((block) => ({ node: drawBlock(block, true) })),
})

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

type Open = {
  token: Token | undefined
  children: ComponentChildren[]
  /** The words of a link, as they come. */
  words: string
  /** The box of a task. */
  box: boolean | undefined
}

/** Each token is looked at once, however deep it lies. */
function nodes(tokens: readonly Token[], isLive: boolean): ComponentChildren[] {
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
      add(children, leaf(token, isLive, link !== undefined))
    } else {
      const parent = outer.pop()
      if (parent === link) link = undefined
      if (!parent?.token) continue
      add(parent.children, wrap(parent.token, children, parent, isLive))
      children = parent.children
    }
  }
  return children
}

/** Preact would make a component of a list among the children. */
function add(children: ComponentChildren[], drawn: ComponentChildren): void {
  for (const each of [drawn].flat()) children.push(each)
}

function wrap(
  token: Token,
  children: ComponentChildren[],
  { words, box }: Open,
  isLive: boolean,
): ComponentChildren {
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
    case 'link_open': {
      const Linked = linkFor(isLive)
      return (
        <Linked href={attribute(token, 'href')} host={hiddenHost(words, attribute(token, 'href'))}>
          {children}
        </Linked>
      )
    }
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

/** `isInLink`: a link holds no other. */
function leaf(token: Token, isLive: boolean, isInLink: boolean): ComponentChildren {
  const { type, content } = token
  switch (type) {
    case 'inline':
      return nodes(token.children ?? [], isLive)
    case 'text':
      return isInLink ? content : linked(content, isLive)
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'code_inline':
      return <code>{content}</code>
    case 'fence':
    case 'code_block':
      return <CodeBlock code={content} language={token.info.trim().split(/\s+/)[0] ?? ''} />
    case 'hr':
      return <hr />
    case 'image': {
      // An image that loads by itself tells its host who reads what: it becomes a link.
      const address = attribute(token, 'src')
      const words = content || address
      const Linked = linkFor(isLive)
      return isInLink ? words : <Linked href={address}>{words}</Linked>
    }
    default:
      return content
  }
}
