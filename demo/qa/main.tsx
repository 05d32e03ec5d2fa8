// Draws the demo's first page: the chat beside its script tag, and tools for testers in a second tab.

import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Handle, mount } from '../../src/embed/index.ts'
import { Nav } from '../nav.tsx'
import type { Place } from '../places.ts'
import { words } from '../words.ts'
import { createHeldBack } from './held-back.ts'
import { keepPanelHere } from './panel-mark.ts'
import { type Network, QaView } from './qa.tsx'
import {
  foyerOrigin,
  mountOptions,
  readSettings,
  type Settings,
  type View,
  writeSettings,
} from './settings.ts'
import { masked, type WireLine } from './wire-log.ts'

const MOST_LINES = 500
/** The first wait for new metrics, and the longest: each is twice the one before. */
const METRICS_MS = { first: 700, longest: 12_000 }

const start = readSettings(location.search)
const view = signal<View>(start.view)
const settings = signal<Settings>(start.settings)
const lines = signal<readonly WireLine[]>([])
const facts = signal<Record<string, string>>({})
const metrics = signal<Record<string, string>>({})
let chat: Handle | undefined
let lastLine = 0

function remount(): void {
  chat?.destroy()
  facts.value = {}
  metrics.value = {}
  const handle = mount(mountOptions(settings.value))
  chat = handle
  const tell = () => {
    const { open, status, sessionId, unread } = handle.getState()
    facts.value = {
      ...facts.value,
      status,
      session: sessionId ?? '–',
      unread: String(unread),
      open: open ? words.panelOpen : words.panelClosed,
    }
  }
  const log = ({ text, ...line }: Omit<WireLine, 'id'>) => {
    const kept = { ...line, id: ++lastLine, text: masked(text) }
    lines.value = [...lines.value.slice(1 - MOST_LINES), kept]
  }
  const heldBack = createHeldBack()
  handle.on('wire', ({ direction, at, text }) => {
    log({ source: direction as WireLine['source'], at: Number(at), text: String(text) })
    const told = direction === 'in' ? heldBack(String(text), Number(at)) : undefined
    if (told) log({ source: 'note', at: Number(at), text: told })
  })
  // The agent writes its metrics once the answer is complete, which is a moment after its words.
  handle.on('message', ({ role }) => {
    if (role === 'agent') readMetricsAfter(METRICS_MS.first)
  })
  for (const type of [
    'open',
    'close',
    'connection',
    'session',
    'unread',
    'handoff',
    'end',
    'language',
    'error',
  ] as const)
    handle.on(type, (detail) => {
      if ('state' in detail) facts.value = { ...facts.value, handoff: String(detail.state) }
      log({ source: 'page', at: Date.now(), text: `foyer-${type} ${JSON.stringify(detail)}` })
      tell()
    })
  tell()
}

/** What the agent did in this conversation, as the API lists it. The page asks again, after ever longer waits, until the API lists something new. */
function readMetricsAfter(wait: number): void {
  setTimeout(async () => {
    const id = chat?.getState().sessionId
    if (!id) return
    const response = await fetch(`/demo/sessions/${encodeURIComponent(id)}/metrics`).catch(() => undefined)
    const found = response?.ok ? ((await response.json()) as Record<string, string>) : metrics.value
    const isNew = JSON.stringify(found) !== JSON.stringify(metrics.value)
    metrics.value = found
    if (!isNew && wait * 2 <= METRICS_MS.longest) readMetricsAfter(wait * 2)
  }, wait)
}

function change(next: Partial<{ view: View; settings: Settings }>): void {
  if (next.view) view.value = next.view
  if (next.settings) settings.value = next.settings
  history.replaceState(null, '', writeSettings(view.value, settings.value))
  if (next.settings) remount()
}

/** Chat and QA are two views of this page: the conversation stays where it is. */
function go(place: Place): boolean {
  if (place !== 'home' && place !== 'qa') return false
  change({ view: place })
  return true
}

const acts = {
  cut: () => chat?.tool('cut'),
  offline: () => chat?.tool('offline'),
  online: () => chat?.tool('online'),
  network: (network: Network) => chat?.tool(network),
  /** A window of its own: the panel fills it as it fills a phone. */
  phoneSize: () => open(writeSettings('home', settings.value), '', 'popup,width=390,height=844'),
  restart: () => chat?.restart(),
  async expire() {
    const id = chat?.getState().sessionId
    if (id) await fetch(`/demo/sessions/${encodeURIComponent(id)}/expire`, { method: 'POST' })
  },
  clear: () => {
    lines.value = []
  },
}

function App() {
  useEffect(remount, [])
  return (
    <>
      <Nav here={view.value} go={go} />
      <main class={`page ${settings.value.layout} ${view.value}-page`}>
        {view.value === 'home' ? (
          <Home />
        ) : (
          <QaView
            settings={settings.value}
            facts={facts.value}
            metrics={metrics.value}
            lines={lines.value}
            acts={acts}
            onChange={(next) => change({ settings: next })}
          />
        )}
        <div id="stage" />
      </main>
    </>
  )
}

/** The agent that answers: a language model, the guide, or the guide that offers the tour. */
const agent = document.querySelector<HTMLElement>('#app')?.dataset.agent
const hasModel = agent === 'llm'
const hasTour = agent === 'tour'

function Home() {
  const [copied, setCopied] = useState(false)
  const tag = `<script src="${foyerOrigin()}/foyer.js" async></script>`
  const copy = () =>
    navigator.clipboard.writeText(tag).then(
      () => setCopied(true),
      () => {},
    )
  /** Asks for a long answer, and cuts the connection once it is on its way. */
  function breakIt(): void {
    chat?.open()
    chat?.send(hasTour ? words.longQuestion : words.question)
    setTimeout(acts.cut, 1_500)
  }
  function talk(): void {
    chat?.open()
    chat?.send(hasTour ? words.tourQuestion : words.question)
  }
  return (
    <section class="home">
      <h1>{words.title}</h1>
      <p class="lead">
        {words.lead} <a href="/docs/">{words.documents}</a>
      </p>
      <h2>{words.tag}</h2>
      <div class="tag">
        <pre>
          <code>{tag}</code>
        </pre>
        <button type="button" class="plain-button" onClick={copy}>
          {copied ? words.copied : words.copy}
        </button>
      </div>
      <div class="ways">
        <button type="button" class="way" onClick={talk}>
          <b>{words.talk}</b>
          <span>{hasTour ? words.talkHint : words.documentsHint}</span>
        </button>
        <button type="button" class="way" onClick={breakIt}>
          <b>{words.breakIt}</b>
          <span>{words.breakHint}</span>
        </button>
        <a class="way" href="/embed.html">
          <b>{words.embed}</b>
          <span>{words.embedHint}</span>
        </a>
      </div>
      {!hasModel && <p class="developers">{words.addModel}</p>}
    </section>
  )
}

keepPanelHere(`foyer:${foyerOrigin()}/`)
const root = document.querySelector<HTMLElement>('#app')
if (root) render(<App />, root)
