// Turns the lines of the wire log into rows, one for each message, and into a file.

/** `in`, `out` and `note` come from the panel's wire log; `page` are the events that the page got. */
export type WireLine = { id: number; source: 'in' | 'out' | 'note' | 'page'; at: number; text: string }

/** One frame, note or event, or all chunks of one message. */
export type Row = {
  id: number
  source: WireLine['source']
  at: number
  type: string
  summary: string
  /** Everything, as indented JSON where it is JSON. */
  full: string
  lines: readonly WireLine[]
  /** Only answers have one: milliseconds from the visitor's message to the first frame of the answer, and to its last frame. */
  latency?: { first: number; whole: number }
}

type Frame = {
  type: string
  sequence?: number | null
  payload?: { message_id?: unknown; text?: unknown; events?: unknown[] }
}

const CHUNK = 'POLY_AGENT_MESSAGE_CHUNK'
const ANSWERS = [CHUNK, 'POLY_AGENT_MESSAGE', 'LIVE_AGENT_MESSAGE']

export function rowsOf(lines: readonly WireLine[]): Row[] {
  const groups: { first: Frame | undefined; lines: WireLine[]; asked?: number | undefined }[] = []
  const byMessage = new Map<unknown, (typeof groups)[number]>()
  let asked: number | undefined
  /** A greeting is due, and may come after a message that the visitor sends at once. */
  let greets = false
  for (const line of lines) {
    const frame = frameOf(line)
    const type = typeOf(line, frame)
    const message = type === CHUNK ? frame?.payload?.message_id : undefined
    const known = message === undefined ? undefined : byMessage.get(message)
    if (known) {
      known.lines.push(line)
      continue
    }
    const group: (typeof groups)[number] = { first: frame, lines: [line] }
    if (line.source === 'out' && type === 'USER_MESSAGE') asked = line.at
    if (line.source === 'out' && type === 'REQUEST_POLY_AGENT_JOIN') greets = true
    if (line.source === 'in' && ANSWERS.includes(type)) {
      if (!greets) {
        group.asked = asked
        asked = undefined
      }
      greets = false
    }
    groups.push(group)
    if (message !== undefined) byMessage.set(message, group)
  }
  return groups.flatMap(({ first, lines, asked }) => {
    const [line] = lines
    const last = lines.at(-1)
    if (!line || !last) return []
    const row: Row = {
      id: line.id,
      source: line.source,
      at: line.at,
      type: typeOf(line, first),
      summary: summaryOf(first, lines),
      full: fullOf(lines),
      lines,
    }
    if (asked !== undefined) row.latency = { first: line.at - asked, whole: last.at - asked }
    return [row]
  })
}

/** The log as a JSON file: an array with the time, the source, and the frame or text of each line. */
export function fileOf(lines: readonly WireLine[]): string {
  const entries = lines.map((line) => {
    const frame = frameOf(line)
    const entry = { time: new Date(line.at).toISOString(), source: line.source }
    return frame ? { ...entry, frame } : { ...entry, text: line.text }
  })
  return JSON.stringify(entries, null, 2)
}

/** The text without access tokens. The panel logs none; this holds also if an error or a visitor's message quotes one. */
export function masked(text: string): string {
  return text
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '•••')
    .replace(/("access_?token"\s*:\s*")(?:[^"\\]|\\.)*/gi, '$1•••')
    .replace(/(\baccess_token=)[^&\s"\\]+/gi, '$1•••')
    .replace(/(\bBearer )[^\s"\\]+/gi, '$1•••')
}

function frameOf({ source, text }: WireLine): Frame | undefined {
  if (source !== 'in' && source !== 'out') return undefined
  try {
    const frame = JSON.parse(text) as Frame | null
    return typeof frame?.type === 'string' ? frame : undefined
  } catch {
    return undefined
  }
}

function typeOf({ source, text }: WireLine, frame: Frame | undefined): string {
  if (frame) return frame.type.replace('EVENT_TYPE_', '')
  return source === 'page' ? (text.split(' ', 1)[0] ?? text) : source
}

/** Sequence, type and words. */
function summaryOf(frame: Frame | undefined, lines: readonly WireLine[]): string {
  const [line] = lines
  if (!line || !frame) return line?.text ?? ''
  const { sequence, payload } = frame
  const place = sequence === undefined || sequence === null ? '' : `#${sequence} `
  const title = `${place}${typeOf(line, frame)}`
  if (lines.length > 1) {
    const words = lines.map((each) => String(frameOf(each)?.payload?.text ?? '')).join('')
    return `${title} ×${lines.length} ${words}`
  }
  return `${title} ${payload?.events ? `${payload.events.length} events` : JSON.stringify(payload ?? {})}`
}

function fullOf(lines: readonly WireLine[]): string {
  const [line] = lines
  if (!line) return ''
  const frames = lines.map(frameOf)
  if (!frames[0]) return line.text
  return JSON.stringify(lines.length === 1 ? frames[0] : frames, null, 2)
}
