// A chat made of the signals that the panel reads, turned by hand, which keeps what it was asked to do.

import { type Signal, signal } from '@preact/signals'
import { configure } from '@testing-library/preact'
import { vi } from 'vitest'
import type { Chat, ChatEvents, Content, Entry, KeyValue } from '../../src/chat/index.ts'
import { mountPanel, type PanelSettings } from '../../src/ui/index.ts'
import { PATIENCE_MS } from '../patience.ts'

// findBy and waitFor too: a busy machine takes longer than a second to load a module.
configure({ asyncUtilTimeout: PATIENCE_MS })

type Writable<T> = { [K in keyof T]: T[K] extends { readonly value: infer V } ? Signal<V> : T[K] }

/** Who watches the size of an element from now on, each to be told by hand. `watches`: whether this element counts. */
export function stubResizeObserver(watches: (element: Element) => boolean = () => true): Set<() => void> {
  const told = new Set<() => void>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly tell: () => void
      constructor(tell: () => void) {
        this.tell = tell
      }
      observe(element: Element) {
        if (watches(element)) told.add(this.tell)
      }
      disconnect() {
        told.delete(this.tell)
      }
    },
  )
  return told
}

/** `first`: the status that the panel is mounted with. */
export function createPanel(settings: PanelSettings = {}, store?: KeyValue, first: 'idle' | 'live' = 'live') {
  const asked: string[] = []
  const listeners = new Map<string, Set<(detail: never) => void>>()
  const ask =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args].join(' '))
    }
  const chat: Writable<Chat> = {
    status: signal(first),
    sessionId: signal('s'),
    transcript: signal([]),
    replaying: signal(false),
    outbox: signal([]),
    agent: signal({ name: first === 'live' ? 'Ada' : undefined, live: false }),
    typing: signal(undefined),
    suggestions: signal([]),
    question: signal(undefined),
    handoff: signal({ state: 'none' }),
    language: signal(undefined),
    notice: signal(undefined),
    unread: signal(0),
    capabilities: signal(undefined),
    stoppable: signal(false),
    leavable: signal(false),
    csat: signal({ state: 'none' }),
    carriesOn: () => true,
    open: ask('open'),
    send: (text) => {
      asked.push(`send ${text}`)
      return 'id'
    },
    refusal: () => undefined,
    typed: ask('typed'),
    retry: ask('retry'),
    discard: ask('discard'),
    stop: ask('stop'),
    leaveQueue: ask('leaveQueue'),
    decide: ask('decide'),
    feedback: ask('feedback'),
    rate: ask('rate'),
    keepAlive: ask('keepAlive'),
    end: ask('end'),
    restart: ask('restart'),
    wake: ask('wake'),
    suspend: ask('suspend'),
    setOnline: ask('setOnline'),
    setVisible: ask('setVisible'),
    setShown: ask('setShown'),
    reconnect: ask('reconnect'),
    logout: async () => {
      asked.push('logout')
      chat.status.value = 'ended'
    },
    on(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener as (detail: never) => void))
      return () => listeners.get(type)?.delete(listener as (detail: never) => void)
    },
    dispose: ask('dispose'),
  }
  const container = document.createElement('div')
  document.body.append(container)
  const panel = mountPanel({
    root: document,
    container,
    chat,
    store,
    onClose: ask('close'),
    onExpand: ask('expand'),
    ...settings,
  })
  return {
    chat,
    asked,
    container,
    panel,
    tell: <T extends keyof ChatEvents>(type: T, detail: ChatEvents[T]) => {
      for (const listener of listeners.get(type) ?? []) listener(detail as never)
    },
    remove() {
      panel.dispose()
      container.remove()
    },
  }
}

let count = 0
export function message(
  role: 'visitor' | 'agent' | 'live',
  text: string,
  more: Partial<Content> = {},
  at = 0,
) {
  const content = signal<Content>({
    pieces: [text],
    length: 1,
    complete: true,
    attachments: [],
    callActions: [],
    ...more,
  })
  const entry: Entry = {
    kind: 'message',
    key: `k${++count}`,
    role,
    at,
    content,
    agentName: role === 'live' ? 'Sarah' : 'Ada',
  }
  return { entry, content }
}
