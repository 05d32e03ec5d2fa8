// A history written by hand for the oracle: real services, networks and excuses, and pages that show what they are told to show.

import { signal } from '@preact/signals-core'
import type { Entry } from '../../src/chat/index.ts'
import type { Browser, Tab } from './browser.ts'
import { createExcuses } from './excuses.ts'
import { createNetwork, type PageSocket, TOKEN_URL } from './network.ts'
import { createOnlookers } from './onlookers.ts'
import { judge, type Kind, type Pending } from './oracle.ts'
import { RUNTIME } from './schedules.ts'
import { createService, type Profile, type Session, USER, WHOLE } from './service.ts'
import { createTime } from './time.ts'

type Item = { id: string; text: string; state: string; tries: number }
/** A page without an engine: what it shows is set. */
export type Shown = Omit<Tab, 'chat' | 'isStale'> & {
  isStale: boolean
  readonly chat: {
    readonly status: { value: string }
    readonly sessionId: { value: string | undefined }
    readonly outbox: { value: readonly Item[]; peek(): readonly Item[] }
    readonly transcript: { value: readonly Entry[] }
  }
}

export function createCase(profile: Partial<Profile> = {}) {
  const time = createTime()
  const service = createService(time, { ...RUNTIME, ...profile }, () => 0)
  const network = createNetwork(time, service, () => 0)
  const tabs: Shown[] = []
  const engines = tabs as unknown as Tab[]
  const excuses = createExcuses(time, service, network)
  const onlookers = createOnlookers(time, service, network, engines)
  const thrown: Kind[] = []
  let count = 0

  /** What waits in a page from now on. */
  function box(page: Shown, ...items: readonly (string | Item)[]): void {
    page.chat.outbox.value = items.map((item) =>
      typeof item === 'string' ? { id: item, text: item, state: 'queued', tries: 0 } : item,
    )
    excuses.boxed(tab(page))
  }

  return {
    time,
    service,
    network,
    tabs,
    excuses,
    onlookers,
    pass: time.pass,
    session: (): Session => service.create(service.issue()),
    page({ session, ...given }: Partial<Shown> & { session?: Session } = {}): Shown {
      const page = {
        name: `page ${++count}`,
        alive: true,
        frozen: false,
        visible: true,
        shown: false,
        isStale: false,
        troubledAt: 0,
        broken: [],
        released: [],
        attempts: [],
        frames: [],
        sockets: new Set<PageSocket>(),
        store: new Map<string, string>(),
        chat: {
          status: signal('idle'),
          sessionId: signal(session?.id),
          outbox: signal<readonly Item[]>([]),
          transcript: signal<readonly Entry[]>([]),
          unread: signal(0),
          notice: signal(undefined),
          question: signal(undefined),
        },
        ...given,
      } as unknown as Shown
      tabs.push(page)
      return page
    },
    box,
    /** The visitor writes, and each message waits in the page. The text of a message is its id, unless another one is given. */
    write(page: Shown, ...messages: readonly (string | Item)[]) {
      box(page, ...page.chat.outbox.value, ...messages)
      for (const each of messages)
        if (typeof each === 'string') excuses.wrote(tabs.indexOf(page), each, each)
        else excuses.wrote(tabs.indexOf(page), each.id, each.text)
    },
    /** The store of a page holds what waits in it. */
    keep: (page: Shown) => page.store.set('outbox', JSON.stringify({ items: page.chat.outbox.value })),
    /** The service stores a message of the visitor, as often as it is named. */
    store(session: Session, ...messages: readonly (string | { id: string; text: string })[]) {
      for (const each of messages) {
        const { id, text } = typeof each === 'string' ? { id: each, text: each } : each
        service.senders.set(service.publish(session, USER, { text }).id, id)
      }
    },
    /** The agent says each text. */
    say(session: Session, ...texts: readonly string[]) {
      for (const text of texts) service.publish(session, WHOLE, { text, message_id: text })
    },
    /** The page shows these lines of the agent; a line that begins with `---` is a divider with its reason. */
    show(page: Shown, ...lines: readonly string[]) {
      page.chat.transcript.value = lines.map((text, index) =>
        text.startsWith('---')
          ? { kind: 'divider', key: `${index}`, reason: text.slice(4) }
          : {
              kind: 'message',
              key: `${index}`,
              role: 'agent',
              content: signal({ pieces: [text], length: 1, complete: true }),
            },
      ) as unknown as readonly Entry[]
    },
    become(page: Shown, status: string, session?: Session) {
      if (session) page.chat.sessionId.value = session.id
      page.chat.status.value = status
      onlookers.became(tab(page))
    },
    /** The page opens a socket of the session. */
    async connect(page: Shown, session: Session): Promise<PageSocket> {
      const url = `wss://chat.example.com/?session_id=${session.id}&access_token=${session.token}`
      const socket = new (network.socketClassOf(page))(url)
      await time.pass(100)
      return socket
    },
    /** The page asks the BFF for a token, and holds it. */
    async token(page: Shown): Promise<string> {
      const answer = network.fetchOf(page)(TOKEN_URL, { method: 'POST', body: '{}' })
      await time.pass(16)
      return ((await (await answer).json()) as { access_token: string }).access_token
    },
    /** A page goes on without the session. */
    leave(session: Session) {
      if (excuses.mayLeave(session) === undefined) thrown.push('thrown')
    },
    /** The kinds of breach of this history. */
    breaches(pending: Partial<Pending>): readonly Kind[] {
      const found = judge(service, { tabs: engines } as Browser, excuses, {
        isAside: () => false,
        ...pending,
      })
      return [...new Set([...thrown, ...found.map(({ kind }) => kind)])]
    },
  }
}
export type Case = ReturnType<typeof createCase>

/** As the excuses know it. */
export const tab = (page: Shown): Tab => page as unknown as Tab
