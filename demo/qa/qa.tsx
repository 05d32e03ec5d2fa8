import { useEffect, useRef } from 'preact/hooks'
import { words } from '../words.ts'
import { CHOICES, type Settings } from './settings.ts'

/** `in`, `out` and `note` come from the panel's wire log; `page` are the events that the page got. */
export type WireLine = { source: 'in' | 'out' | 'note' | 'page'; at: number; text: string }

type Acts = Record<'cut' | 'offline' | 'online' | 'expire' | 'restart' | 'clear', () => unknown>

type Props = {
  settings: Settings
  facts: Record<string, string>
  /** What the agent wrote about its answers. */
  metrics: Record<string, string>
  lines: readonly WireLine[]
  acts: Acts
  onChange(settings: Settings): void
}

export function QaView({ settings, facts, metrics, lines, acts, onChange }: Props) {
  return (
    <section class="qa">
      <div class="panes">
        <form class="pane" aria-label={words.settings}>
          <h2>{words.settings}</h2>
          <p>{words.settingsHint}</p>
          {Object.entries(CHOICES).map(([name, values]) => (
            <label key={name}>
              <span>{words.fields[name as keyof Settings]}</span>
              <select
                value={settings[name as keyof Settings]}
                onChange={(event) => onChange({ ...settings, [name]: event.currentTarget.value })}
              >
                {values.map((value) => (
                  <option key={value} value={value}>
                    {value || words.anywhere}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </form>
        <div class="pane">
          <h2>{words.state}</h2>
          <dl>
            {Object.entries(words.facts).map(([name, title]) => (
              <div key={name}>
                <dt>{title}</dt>
                <dd>{facts[name] ?? '–'}</dd>
              </div>
            ))}
          </dl>
          <h2>{words.metrics}</h2>
          {Object.keys(metrics).length === 0 ? (
            <p>{words.noMetrics}</p>
          ) : (
            <dl class="metrics">
              {Object.entries(metrics).map(([name, value]) => (
                <div key={name}>
                  <dt>{words.metricNames[name] ?? name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          <h2>{words.faults}</h2>
          <div class="buttons">
            {(['cut', 'offline', 'online', 'expire', 'restart'] as const).map((name) => (
              <button key={name} type="button" class="plain-button" onClick={acts[name]}>
                {words[name]}
              </button>
            ))}
          </div>
        </div>
      </div>
      <div class="pane wire-pane">
        <div class="wire-head">
          <h2>{words.wire}</h2>
          <button type="button" class="plain-button" onClick={acts.clear}>
            {words.clear}
          </button>
        </div>
        <p>{words.wireHint}</p>
        <Wire lines={lines} />
      </div>
    </section>
  )
}

function Wire({ lines }: { lines: readonly WireLine[] }) {
  const list = useRef<HTMLOListElement>(null)
  const stuck = useRef(true)
  useEffect(() => {
    if (stuck.current && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [lines])
  if (lines.length === 0) return <p class="empty">{words.empty}</p>
  return (
    <ol
      ref={list}
      class="wire"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={words.wire}
      onScroll={({ currentTarget: box }) => {
        stuck.current = box.scrollHeight - box.scrollTop - box.clientHeight < 24
      }}
    >
      {lines.map((line, index) => (
        <li key={index} class={line.source}>
          <time>{new Date(line.at).toISOString().slice(11, 23)}</time>
          <b>{line.source}</b>
          <code title={line.text}>{summary(line)}</code>
        </li>
      ))}
    </ol>
  )
}

/** The summary of a line: type, sequence and words. Its title has the whole line. */
function summary({ source, text }: WireLine): string {
  if (source !== 'in' && source !== 'out') return text
  try {
    const { type, sequence, payload } = JSON.parse(text) as {
      type: string
      sequence?: number | null
      payload?: { events?: unknown[] }
    }
    const place = sequence === undefined || sequence === null ? '' : `#${sequence} `
    const events = payload?.events ? `${payload.events.length} events` : JSON.stringify(payload ?? {})
    return `${place}${type.replace('EVENT_TYPE_', '')} ${events}`
  } catch {
    return text
  }
}
