// Markdown to elements, never to HTML: markdown-it finds the structure, and each token becomes a node of a
// kind that stands in this file. Fetched beside the panel, which shows plain text until it is here.

import MarkdownIt from 'markdown-it'
import { type ComponentChildren, h, type VNode } from 'preact'
import { CodeBlock } from './code.tsx'
import { Link, linked } from './link.tsx'

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true })
// A definition far below would change what was drawn long before.
parser.disable('reference')
// The parser's own rule drops schemes that ours also knows; Link judges every address by itself.
parser.validateLink = () => true

/** One top-level block, and the text it was made of. */
export type Block = { source: string; node: VNode }

/**
 * The blocks of a text. The last may still grow; those before it never change, whatever is added: a block of
 * Markdown is closed when another begins.
 */
export function parseBlocks(text: string): {
  blocks: Block[] /** Where the last block begins. */
  open: number
} {
  const tokens = parser.parse(text, {})
  const starts = lineStarts(text)
  const blocks: Block[] = []
  let open = 0
  for (let index = 0; index < tokens.length; ) {
    const end = closing(tokens, index)
    const first = tokens[index]
    const [from, to] = first?.map ?? [0, 0]
    const start = starts[from] ?? text.length
    open = start
    blocks.push({
      source: text.slice(start, starts[to] ?? text.length),
      node: <>{nodes(tokens.slice(index, end))}</>,
    })
    index = end
  }
  return { blocks, open: blocks.length > 0 ? open : 0 }
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

/** `inLink`: a link holds no other. */
function nodes(tokens: readonly Token[], inLink = false): ComponentChildren[] {
  const out: ComponentChildren[] = []
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]
    const end = closing(tokens, index)
    if (token)
      out.push(
        token.nesting === 1 ? wrap(token, tokens.slice(index + 1, end - 1), inLink) : leaf(token, inLink),
      )
    index = Math.max(end, index + 1)
  }
  return out
}

function wrap(token: Token, inside: readonly Token[], inLink: boolean): ComponentChildren {
  const box = token.type === 'list_item_open' ? takeBox(inside) : undefined
  const children = nodes(inside, inLink || token.type === 'link_open')
  switch (token.type) {
    case 'paragraph_open':
      return token.hidden ? children : <p>{children}</p>
    case 'heading_open': {
      // The panel's own title is a second-level heading: those of an answer stand below it.
      const level = Number(token.tag.slice(1))
      return h(`h${Math.min(6, Math.max(3, level + 1))}`, { class: `h h${level}` }, children)
    }
    case 'bullet_list_open':
      return <ul>{children}</ul>
    case 'ordered_list_open':
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    case 'list_item_open':
      if (box === undefined) return <li>{children}</li>
      return (
        <li class="task">
          <input type="checkbox" checked={box} disabled />
          {children}
        </li>
      )
    case 'blockquote_open':
      return <blockquote>{children}</blockquote>
    case 'table_open':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <div class="table" tabIndex={0}>
          <table>{children}</table>
        </div>
      )
    case 'thead_open':
      return <thead>{children}</thead>
    case 'tbody_open':
      return <tbody>{children}</tbody>
    case 'tr_open':
      return <tr>{children}</tr>
    case 'th_open':
      return <th class={align(token)}>{children}</th>
    case 'td_open':
      return <td class={align(token)}>{children}</td>
    case 'em_open':
      return <em>{children}</em>
    case 'strong_open':
      return <strong>{children}</strong>
    case 's_open':
      return <s>{children}</s>
    case 'link_open':
      return (
        <Link href={attribute(token, 'href')} words={inside.map(({ content }) => content).join('')}>
          {children}
        </Link>
      )
    default:
      return children
  }
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')
const align = (token: Token): string | undefined => /text-align:(\w+)/.exec(attribute(token, 'style'))?.[1]

/** Takes the box off a task (`[ ]`, `[x]`), whose tokens are its own; undefined where the item is none. */
function takeBox(inside: readonly Token[]): boolean | undefined {
  const words = inside.find(({ type }) => type === 'inline')?.children?.[0]
  const [box, sign] = /^\[([ xX])\] /.exec(words?.content ?? '') ?? []
  if (!words || box === undefined) return undefined
  words.content = words.content.slice(box.length)
  return sign !== ' '
}

function leaf(token: Token, inLink: boolean): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return nodes(token.children ?? [], inLink)
    case 'text':
      return inLink ? token.content : linked(token.content)
    case 'text_special':
      return token.content
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
