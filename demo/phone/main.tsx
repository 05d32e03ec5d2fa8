// Draws a simulated phone: its screen, its number, and how to send a message to it.

import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { listen, newest, Refusal, read, write } from '../live.ts'
import { Nav } from '../nav.tsx'
import { words } from '../words.ts'
import { PhoneScreen, type Screen } from './screen.tsx'

const NUMBER = /^\+[1-9]\d{6,14}$/
const WIDE = '(min-width: 900px)'
const [PLAIN] = words.phone.numbers

/** Accepts a number without its plus, which means a space in a query. */
function readNumber(query: string): string {
  const given = (new URLSearchParams(query).get('number') ?? '').replace(/^[ +]*/, '+')
  return NUMBER.test(given) ? given : PLAIN.number
}

const number = signal(readNumber(location.search))
const screen = signal<Screen | undefined>(undefined)
const connected = signal(true)
const trouble = signal<string | undefined>(undefined)

const keep = newest<Screen & { number: string }>((found) => {
  if (found.number === number.peek()) screen.value = found
})
const fail = (error: unknown) => {
  trouble.value = error instanceof Refusal ? error.message : words.live.refused
}
const pathOf = (of: string) => `phone/${encodeURIComponent(of)}`
const readScreen = (of: string) =>
  keep(read<Screen>(pathOf(of)).then((found) => ({ ...found, number: of }))).catch((error: unknown) => {
    // Without a connection the stream shows it.
    if (!(error instanceof Refusal && error.status === 0)) fail(error)
  })

function choose(next: string): void {
  if (next === number.peek()) return
  screen.value = undefined
  trouble.value = undefined
  number.value = next
  history.replaceState(
    null,
    '',
    next === PLAIN.number ? location.pathname : `?${new URLSearchParams({ number: next })}`,
  )
}

/** True if it was sent. */
async function send(written: object): Promise<boolean> {
  try {
    await write(`${pathOf(number.peek())}/write`, written)
    trouble.value = undefined
    return true
  } catch (error) {
    fail(error)
    return false
  }
}

const begin = () =>
  effect(() => {
    const of = number.value
    return listen(`${pathOf(of)}/events`, {
      open() {
        trouble.value = undefined
        void readScreen(of)
      },
      live: (live) => {
        connected.value = live
      },
      on: { screen: () => void readScreen(of) },
    })
  })

function App() {
  useEffect(begin, [])
  const api = <Api number={number.value} rcs={screen.value?.device.rcs ?? false} />
  const used = (screen.value?.messages.length ?? 0) > 0
  return (
    <>
      <Nav here="phone" />
      <main class="phone">
        <section class="side">
          <h1>{words.phone.title}</h1>
          <p class="lead">{words.phone.lead}</p>
          <Numbers />
          {used && (
            <details open={matchMedia(WIDE).matches}>
              <summary>{words.phone.api}</summary>
              {api}
            </details>
          )}
        </section>
        <PhoneScreen
          key={number.value}
          number={number.value}
          screen={screen.value}
          notice={connected.value ? undefined : words.live.lost}
          trouble={trouble.value}
          onWrite={send}
        >
          {api}
        </PhoneScreen>
      </main>
    </>
  )
}

function Numbers() {
  const known = words.phone.numbers.some((each) => each.number === number.value)
  const [other, setOther] = useState(known ? '' : number.value)
  const [asked, setAsked] = useState(!known)
  const [wrong, setWrong] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const given = other.replace(/[\s()-]/g, '')
        setWrong(!NUMBER.test(given))
        if (NUMBER.test(given)) choose(given)
      }}
    >
      <fieldset>
        <legend>{words.phone.number}</legend>
        {words.phone.numbers.map((each) => (
          <label key={each.number} class="choice">
            <input
              type="radio"
              name="number"
              checked={!asked && number.value === each.number}
              onChange={() => {
                setAsked(false)
                choose(each.number)
              }}
            />
            <span>
              <b>{each.number}</b> <small>{each.kind}</small>
            </span>
          </label>
        ))}
        <label class="choice">
          <input type="radio" name="number" checked={asked} onChange={() => setAsked(true)} />
          <span>{words.phone.other}</span>
        </label>
      </fieldset>
      {asked && (
        <div class="other">
          <div>
            <input
              class="field"
              type="tel"
              value={other}
              placeholder={PLAIN.number}
              autocomplete="off"
              aria-label={words.phone.other}
              aria-describedby="other-hint"
              aria-invalid={wrong}
              onInput={(event) => setOther(event.currentTarget.value)}
            />
            <button type="submit" class="plain-button">
              {words.phone.otherUse}
            </button>
          </div>
          <p id="other-hint" class={wrong ? 'bad' : undefined} role={wrong ? 'alert' : undefined}>
            {wrong ? words.phone.invalid : words.phone.otherHint}
          </p>
        </div>
      )}
    </form>
  )
}

/** The API call with which the front desk writes first, to copy or to send. */
function Api({ number, rcs }: { number: string; rcs: boolean }) {
  const [copied, setCopied] = useState(false)
  const [outcome, setOutcome] = useState<string | undefined>(undefined)
  const headers = {
    'X-Svc-Auth-Token': 'demo-api-key',
    'X-TOKEN-ID': 'CON-demo0001',
    'Content-Type': 'application/json',
  }
  const message = {
    user_number: rcs ? `rcs:${number}` : number,
    message: words.phone.apiMessage,
    ...(rcs && { messaging_service_sid: 'MG-demo0001' }),
  }
  const body = JSON.stringify(message, null, 4).replace(/^\{\s+|\s+\}$/g, (end) => end.trim())
  const line = [
    'curl -i',
    `${location.origin}/v1/outbound-sms`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    `-d '${body}'`,
  ]
  const copy = () =>
    navigator.clipboard.writeText(line.join(' \\\n  ')).then(
      () => setCopied(true),
      () => {},
    )
  const run = () =>
    fetch('/v1/outbound-sms', { method: 'POST', headers, body }).then(
      ({ ok }) => setOutcome(ok ? words.phone.apiSent : words.phone.apiFailed),
      () => setOutcome(words.phone.apiFailed),
    )
  return (
    <div class="api">
      <pre>
        <code>{line.join(' \\\n  ')}</code>
      </pre>
      <div class="buttons">
        <button type="button" class="plain-button" onClick={copy}>
          {copied ? words.phone.copied : words.phone.copy}
        </button>
        <button type="button" class="plain-button" onClick={run}>
          {words.phone.apiRun}
        </button>
        <span role="status">{outcome}</span>
      </div>
    </div>
  )
}

const root = document.querySelector('#app')
if (root) render(<App />, root)
