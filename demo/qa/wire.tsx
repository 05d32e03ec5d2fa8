import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words.ts'
import { fileOf, type Row, rowsOf, type WireLine } from './wire-log.ts'

const SOURCES = ['in', 'out', 'note', 'page'] as const

/** The log of the wire: filters, rows that open, and the log as a file. */
export function WirePane({ lines, clear }: { lines: readonly WireLine[]; clear(): void }) {
  const [source, setSource] = useState('')
  const [type, setType] = useState('')
  const rows = rowsOf(lines)
  const types = [...new Set([...rows.map((row) => row.type), ...(type ? [type] : [])])].sort()
  const shown = rows.filter((row) => (!source || row.source === source) && (!type || row.type === type))
  return (
    <div class="pane wire-pane">
      <div class="wire-head">
        <h2>{words.wire}</h2>
        <Filter label={words.source} value={source} values={SOURCES} onChange={setSource} />
        <Filter label={words.type} value={type} values={types} onChange={setType} />
        <button type="button" class="plain-button" disabled={lines.length === 0} onClick={() => save(lines)}>
          {words.save}
        </button>
        <button type="button" class="plain-button" onClick={clear}>
          {words.clear}
        </button>
      </div>
      <p>{words.wireHint}</p>
      <Rows rows={shown} empty={lines.length === 0 ? words.empty : words.noneMatch} />
    </div>
  )
}

type FilterProps = { label: string; value: string; values: readonly string[]; onChange(value: string): void }

function Filter({ label, value, values, onChange }: FilterProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{`${label}: ${words.all}`}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

function Rows({ rows, empty }: { rows: readonly Row[]; empty: string }) {
  const list = useRef<HTMLOListElement>(null)
  /** The reader is at the end, where new rows come. */
  const stuck = useRef(true)
  const lastTop = useRef(0)
  useLayoutEffect(() => {
    if (stuck.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [rows])
  if (rows.length === 0) return <p class="empty">{empty}</p>
  return (
    <ol
      ref={list}
      class="wire"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={words.wire}
      onScroll={({ currentTarget: box }) => {
        // A scroll that is told late finds newer rows below: only who moves up has left the end.
        if (box.scrollHeight - box.scrollTop - box.clientHeight < 24) stuck.current = true
        else if (box.scrollTop < lastTop.current) stuck.current = false
        lastTop.current = box.scrollTop
      }}
    >
      {rows.map((row) => (
        <WireRow
          key={row.id}
          row={row}
          onOpen={() => {
            stuck.current = false
          }}
        />
      ))}
    </ol>
  )
}

function WireRow({ row, onOpen }: { row: Row; onOpen(): void }) {
  const [open, setOpen] = useState(false)
  return (
    <li class={row.source}>
      <details
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open)
          if (currentTarget.open) onOpen()
        }}
      >
        <summary>
          <time>{new Date(row.at).toISOString().slice(11, 23)}</time>
          <b>{row.source}</b>
          {row.latency && <i>{words.latency(row.latency.first, row.latency.whole)}</i>}
          <code>{row.summary}</code>
        </summary>
        {open && <Full text={row.full} />}
      </details>
    </li>
  )
}

function Full({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <div ref={box} class="full">
      <button type="button" class="plain-button" onClick={copy}>
        {copied ? words.copied : words.copy}
      </button>
      <pre>{text}</pre>
    </div>
  )
}

function save(lines: readonly WireLine[]): void {
  const address = URL.createObjectURL(new Blob([fileOf(lines)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `foyer-wire-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`
  link.click()
  URL.revokeObjectURL(address)
}
