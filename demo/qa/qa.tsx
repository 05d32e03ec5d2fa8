import { FAULTS, type Fault } from '../../src/embed/channel.ts'
import { words } from '../words.ts'
import { CHOICES, type Settings } from './settings.ts'
import { WirePane } from './wire.tsx'
import type { WireLine } from './wire-log.ts'

/** What the network does to the frames of the chat. `whole`: the network delivers each frame once, without delay. */
export type Network = 'whole' | Fault

type Acts = Record<
  'cut' | 'offline' | 'online' | 'expire' | 'restart' | 'clear' | 'phoneSize',
  () => unknown
> & { network(network: Network): unknown }

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
          <p>
            {words.settingsHint} <a href="/gallery.html">{words.gallery}</a>
          </p>
          {Object.entries(CHOICES).map(([name, values]) => (
            <label key={name}>
              <span>{words.fields[name as keyof Settings]}</span>
              <select
                value={settings[name as keyof Settings]}
                onChange={(event) => onChange({ ...settings, [name]: event.currentTarget.value })}
              >
                {values.map((value) => (
                  <option key={value} value={value}>
                    {value || words.defaultAccent}
                  </option>
                ))}
              </select>
            </label>
          ))}
          <button type="button" class="plain-button" onClick={acts.phoneSize}>
            {words.phoneSize}
          </button>
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
          <label>
            <span>{words.network}</span>
            <select onChange={(event) => acts.network(event.currentTarget.value as Network)}>
              {(['whole', ...FAULTS] as const).map((value) => (
                <option key={value} value={value}>
                  {words.networks[value]}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <WirePane lines={lines} clear={acts.clear} />
    </section>
  )
}
