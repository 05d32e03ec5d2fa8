// Half-written Markdown at the end of a stream: marks whose other half has not come yet are taken away or closed, so
// that no syntax flashes. Only the last line is looked at, once from its start to its end.

/** The text as it most likely goes on. Never longer than the text and a few closing marks. */
export function withoutHalves(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  const before = text.slice(0, start)
  if (isInFence(before)) return text
  const line = text.slice(start)
  // A fence, a rule, a list sign or a heading that is still being typed.
  if (/^\s{0,3}(`{1,2}|~{1,2}|[-*+=_]{1,3}|#{1,6}|\d{1,9}[.)]?|>)\s?$/.test(line)) return before
  // The head of a table shows as one only with the line below it.
  if (/^\s{0,3}\|/.test(line)) return isInTable(before) ? text : withoutHead(before)
  return before + closeLine(line)
}

function isInFence(before: string): boolean {
  let fence: string | undefined
  for (const [, mark = ''] of before.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (fence === undefined) fence = mark
    else if (mark.startsWith(fence)) fence = undefined
  }
  return fence !== undefined
}

/** Hides the head of a table above a half-written delimiter row, so that it does not flash as a paragraph. */
const withoutHead = (before: string): string => {
  const start = before.lastIndexOf('\n', before.length - 2) + 1
  return /^\s{0,3}\|/.test(before.slice(start)) ? before.slice(0, start) : before
}

/** Whether the lines since the last blank one hold the delimiter row of a table. */
function isInTable(before: string): boolean {
  const block = before.slice(before.lastIndexOf('\n\n') + 1)
  return block.split('\n').some((line) => line.includes('-') && /^\s{0,3}\|[\s:|-]+$/.test(line))
}

/** Closes code and emphasis that are open at the end of a line, and shows an open link as its words. */
function closeLine(line: string): string {
  const open: string[] = []
  let out = ''
  /** Where the last `[` stands in `out`. */
  let link: number | undefined
  const withoutLink = () =>
    link === undefined ? out : out.slice(0, link).replace(/!$/, '') + out.slice(link + 1)
  const closed = (text: string) => text + open.reverse().join('')

  for (let at = 0; at < line.length; ) {
    const sign = line[at] ?? ''
    const double = line[at + 1] === sign
    if (sign === '\\') {
      out += line.slice(at, at + 2)
      at += 2
    } else if (sign === '`') {
      const [ticks = '`'] = /^`{1,8}/.exec(line.slice(at, at + 8)) ?? []
      const end = line.indexOf(ticks, at + ticks.length)
      if (end === -1) {
        const code = line.slice(at)
        return closed(withoutLink() + (code.length > ticks.length ? code + ticks : ''))
      }
      out += line.slice(at, end + ticks.length)
      at = end + ticks.length
    } else if (sign === '[') {
      link = out.length
      out += sign
      at++
    } else if (sign === ']' && link !== undefined) {
      const isLink = line[at + 1] === '(' || at + 1 === line.length
      const end = isLink ? line.indexOf(')', at) : at
      if (end === -1) return closed(withoutLink())
      out += line.slice(at, end + 1)
      at = end + 1
      link = undefined
    } else if (sign === '*' || (sign === '~' && double)) {
      const mark = double ? sign + sign : sign
      const known = open.lastIndexOf(mark)
      const isLast = at + mark.length === line.length
      if (isLast && known === -1) return closed(withoutLink())
      if (known !== -1) open.splice(known)
      else if (/\S/.test(line[at + mark.length] ?? ' ')) open.push(mark)
      out += mark
      at += mark.length
    } else {
      out += sign
      at++
    }
  }
  const whole = withoutLink()
  return open.length > 0 ? closed(whole.trimEnd()) : whole
}
