// Half-written Markdown at the end of a stream: marks whose other half has not come yet are taken away or closed, so
// that no syntax flashes. Only the last paragraph is looked at, once from its start to its end.

import { beginsEntity } from '../../markdown/index.ts'

/** What stands before the words of a line: signs of quotes and of items, with their spaces. */
const LEAD = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/
/** The words of a line that may still become a fence, a rule, an item, a task, a heading or the line below one. */
const SIGN =
  /^(?:(?:`{1,2}|~{1,2}|[-*+_]{1,3}|=+|#{1,6}|\d{1,9}[.)]?|\[[ xX]?\]?)?[ \t]*|`{3}[^`]*|~{3}[^\n]*)$/
const FENCES = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)/gm
const ROW = /^[ \t>]*\|/
/** A line that no paragraph goes on over and that has no words: a blank one, a fence, a rule. */
const ALONE = /^[ \t>]*(?:$|`{3}|~{3}|([-*_])[ \t]*(?:\1[ \t]*){2,}$)/
const HEADING = /^[ \t>]*#{1,6}[ \t]/
/** An item begins a paragraph of its own. */
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const LETTER = /[\p{L}\p{N}]/u
/** The longest head of a table, in characters. A longer line with bars is read as a sentence. */
const LONGEST_HEAD = 200

/** The text as it most likely goes on. Never longer than the text and a few closing marks. */
export function withoutIncomplete(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  const before = text.slice(0, start)
  const line = text.slice(start)
  const fence = openFence(before)
  // The end of a fence shows nothing: what may become one is not shown as code.
  if (fence !== undefined) return line.trim() !== '' && fence.startsWith(line.trim()) ? before : text
  const [lead = ''] = LEAD.exec(line) ?? []
  const words = line.slice(lead.length)
  const isBlank = line.trim() === ''
  const isTable = isInTable(before)
  // The head of a table shows as one only with the line below it.
  const isRule = /^[-:][\s:|-]*$/.test(words)
  if (!isTable && (isBlank || isRule || ROW.test(line))) return closeParagraph(withoutHead(before))
  if (!isBlank && SIGN.test(words)) return closeParagraph(before)
  if (isTable) {
    const shown = closeLine(words)
    return shown.trim() === '' ? before : before + lead + shown
  }
  return closeParagraph(before + lead + withoutBars(words))
}

/** Closes what is open at the end of the last paragraph, which may have begun some lines above. */
function closeParagraph(text: string): string {
  const lineAbove = (start: number) => text.lastIndexOf('\n', start - 2) + 1
  let start = lineAbove(text.length)
  if (ALONE.test(text.slice(start).trimEnd())) return text
  while (start > 0 && !ITEM.test(text.slice(start)) && !HEADING.test(text.slice(start))) {
    const above = lineAbove(start)
    if (ALONE.test(text.slice(above, start - 1)) || HEADING.test(text.slice(above))) break
    start = above
  }
  const [lead = ''] = LEAD.exec(text.slice(start)) ?? []
  const from = start + lead.length
  const words = text.slice(from)
  const shown = closeLine(words)
  // What is left may be nothing but a sign, such as the box of a task.
  return shown.trim() === '' || (shown !== words && SIGN.test(shown))
    ? text.slice(0, start)
    : text.slice(0, from) + shown
}

/** The signs of the fence that is open at the end, in an item too. */
function openFence(before: string): string | undefined {
  let fence: string | undefined
  for (const [, mark = '', rest = ''] of before.matchAll(FENCES)) {
    if (fence === undefined) fence = mark.startsWith('`') && rest.includes('`') ? undefined : mark
    else if (mark.startsWith(fence) && rest.trim() === '') fence = undefined
  }
  return fence
}

/**
 * Hides the head of a table until the line below it is whole, so that it does not flash as a paragraph: one that begins with a bar as a
 * whole, of another its bars.
 */
function withoutHead(before: string): string {
  const start = before.lastIndexOf('\n', before.length - 2) + 1
  const head = before.slice(start)
  return before.slice(0, start) + (ROW.test(head) ? '' : withoutBars(head))
}

/** Without the bars that may be those of a table's head. */
function withoutBars(line: string): string {
  // The end of a sentence is no head of a table: a voice need not wait for the line either.
  if (line.length > LONGEST_HEAD || !line.includes('|') || /\|.*[.!?。！？](?:\s|$)/.test(line)) return line
  return line.replace(/\\.|`+[^`]*`*|\|/g, (each) => (each === '|' ? '' : each))
}

/** Whether the lines since the last blank one hold the delimiter row of a table. */
function isInTable(before: string): boolean {
  const block = before.slice(before.lastIndexOf('\n\n') + 1)
  return block
    .split('\n')
    .some((line) => line.includes('-') && line.includes('|') && /^[\s>:|-]+$/.test(line))
}

/** Closes code and emphasis that are open at the end of a paragraph's lines, and shows an open link as its words. */
function closeLine(line: string): string {
  const open: string[] = []
  let out = ''
  /** Where the last `[` stands in `out`. */
  let link: number | undefined
  let linkAt = 0
  /** Whether more than one line has begun since: what is open so long is hardly code or a link. */
  const lastLine = line.lastIndexOf('\n', line.lastIndexOf('\n') - 1)
  const isFar = (at: number) => at < lastLine
  const withoutLink = () =>
    link === undefined || isFar(linkAt) ? out : out.slice(0, link).replace(/!$/, '') + out.slice(link + 1)
  const closed = (given: string) => {
    let text = given
    for (let mark = open.at(-1); mark !== undefined; mark = open.at(-1)) {
      text = text.trimEnd()
      // Emphasis without words is none.
      if (!text.endsWith(mark)) break
      text = text.slice(0, -mark.length)
      open.pop()
    }
    return text + open.reverse().join('')
  }

  for (let at = 0; at < line.length; ) {
    const sign = line[at] ?? ''
    const double = line[at + 1] === sign
    if (sign === '\\') {
      // It may become a break of the line.
      if (/^\n?$/.test(line.slice(at + 1, at + 3))) return closed(withoutLink())
      out += line.slice(at, at + 2)
      at += 2
    } else if (sign === '`') {
      const [ticks = '`'] = /^`{1,8}/.exec(line.slice(at, at + 8)) ?? []
      const end = line.indexOf(ticks, at + ticks.length)
      if (end === -1 && isFar(at)) {
        out += ticks
        at += ticks.length
      } else if (end === -1) {
        // In a table a backslash keeps the bar behind it from ending the cell; ticks at the end may close the code.
        const code = line
          .slice(at + ticks.length)
          .replace(/\\$/, '')
          .trimEnd()
          .replace(/`{1,8}$/, '')
        return closed(withoutLink() + (code.trim() === '' ? '' : ticks + code + ticks))
      } else {
        out += line.slice(at, end + ticks.length)
        at = end + ticks.length
      }
    } else if (sign === '&' && line.length - at < 12 && beginsEntity(line.slice(at))) {
      return closed(withoutLink())
    } else if (sign === '<' && /^<(?:[a-z][^\s<>]*)?$/i.test(line.slice(at))) {
      return closed(withoutLink() + line.slice(at + 1))
    } else if (sign === '!' && at + 1 === line.length && !/\S/.test(line[at - 1] ?? ' ')) {
      return closed(withoutLink())
    } else if (sign === '[') {
      link = out.length
      linkAt = at
      out += sign
      at++
    } else if (sign === ']' && link !== undefined) {
      const isLink = line[at + 1] === '(' || at + 1 === line.length
      const end = isLink ? line.indexOf(')', at) : at
      const isOpen = end === line.length - 1 && /\([^)]*\(/.test(line.slice(at))
      if (end === -1 || isOpen) return closed(withoutLink())
      out += line.slice(at, end + 1)
      at = end + 1
      link = undefined
    } else if (sign === '*' || sign === '_' || (sign === '~' && (double || at + 1 === line.length))) {
      const mark = double ? sign + sign : sign
      const known = open.lastIndexOf(mark)
      const next = line[at + mark.length] ?? ' '
      const isLast = at + mark.length === line.length
      // A low line within a word is a letter.
      const isWithin = sign === '_' && LETTER.test(line[at - 1] ?? ' ')
      if (isLast && known === -1 && !(isWithin && open.length === 0)) return closed(withoutLink())
      if (known !== -1 && !(isWithin && LETTER.test(next))) {
        const [, ...inner] = open.splice(known)
        // Of three signs, two are here.
        if (isLast) return withoutLink() + mark + [...open, ...inner].reverse().join('')
        if (inner[0]?.startsWith(next)) open.push(...inner)
      } else if (/\S/.test(next) && !isWithin) open.push(mark)
      out += mark
      at += mark.length
    } else {
      out += sign
      at++
    }
  }
  return closed(withoutLink())
}
