// Conversations by SMS and RCS: how they open, what a phone's messages do, and the way of messages out.
//
//   API ─▶ open ─┐                                   ┌─▶ carrier ─▶ phone
//                ├─▶ session ─▶ agent ─▶ delivery ───┤
//   phone ─▶ receive                                 └─ not while the user has opted out

import { atMost, type Clock } from '../clock.ts'
import type { Conversations } from '../sessions/sessions.ts'
import type {
  Connector,
  Delivery,
  LockedSession,
  NewEvent,
  Registry,
  Sessions,
  StoredEvent,
  Texts,
} from '../store-index.ts'
import type { Carrier, InboundMessage, TextMessage } from './carrier.ts'
import { sendByText } from './delivery.ts'
import { textWords } from './words.ts'

const MOST_AT_ONCE = 8
/** To open a conversation between two numbers, where others open one between the same. */
const MOST_TRIES = 50
/** PostgreSQL's code for it. */
const UNIQUE_VIOLATION = '23505'
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** How long a message is tried, at the least; one that was held up still has its own attempts. */
const GIVE_UP_AFTER_MS = 3_600_000
const LEAST_ATTEMPTS = 6
const SEND_TIMEOUT_MS = 30_000

export type TextOptions = {
  conversations: Conversations
  sessions: Sessions
  registry: Registry
  texts: Texts
  carrier: Carrier
  clock: Clock
  uuid: () => string
  processId: string
  wake(sessionId: string): void
  log: (line: string) => void
}

export type TextService = ReturnType<typeof createTextService>

export type Opening = {
  connector: Connector
  userNumber: string
  agentNumber: string
  /** With RCS. */
  rcsSender: string | undefined
  /** Undefined: the agent greets. */
  message: string | undefined
}

/** Tells the user, within the transaction that notes it, that the conversation will end. */
export async function warnByText(session: LockedSession, uuid: () => string, now: Date): Promise<void> {
  const text = textWords.idleWarning
  const bare = { attachments: [], suggestions: [], callActions: [] }
  await sendByText(session, { id: uuid(), text, ...bare }, now)
  await session.record.respond(text, now, { agent: false })
}

export function createTextService(options: TextOptions) {
  const { conversations, sessions, registry, texts, carrier, clock, uuid, processId, log } = options
  const date = () => new Date(clock.now())
  /** What this process hands over at the moment. */
  const held = new Map<string, Promise<void>>()
  /** One look after the other, so that each finds in `held` all that was taken before it. */
  let taking: Promise<void> = Promise.resolve()
  let stopping = false

  /** Opens a conversation with a message, or with the agent's greeting. One that was open between the two ends. */
  async function open(opening: Opening): Promise<void> {
    // Between the end of one and the beginning of the other somebody else may open one: then that one ends.
    const id = await again(MOST_TRIES, async () => {
      const former = await texts.openSession(opening.userNumber, opening.agentNumber)
      if (former) await conversations.end(former)
      return begin(opening)
    })
    if (opening.message === undefined) options.wake(id)
    deliver()
  }

  async function begin({ connector, userNumber, agentNumber, rcsSender, message }: Opening): Promise<string> {
    const numbers = { userNumber, agentNumber, rcsSender: rcsSender ?? '' }
    return conversations.open(
      connector,
      rcsSender === undefined ? 'SMS' : 'RCS',
      numbers,
      async (session) => {
        await session.change({ joined: true })
        if (message === undefined)
          return session.append([{ type: 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', payload: {} }], date())
        const said = { id: uuid(), text: message, attachments: [], suggestions: [], callActions: [] }
        const bare = { attachments: [], response_suggestions: [], chat_call_actions: [] }
        await session.append(
          [
            {
              type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
              payload: { message_id: said.id, text: message, ...bare },
              messageId: said.id,
            },
          ],
          date(),
        )
        // What the API is given is sent as it is, not read as Markdown.
        await session.deliveries.send(said.id, asGiven(session, message, said.id), date())
        await session.record.respond(message, date(), { agent: false })
      },
    )
  }

  /** Takes in what came from a phone. Of two that open a conversation at once, the second joins the first's. */
  const receive = (message: InboundMessage): Promise<void> => again(MOST_TRIES, () => take(message))

  async function take(message: InboundMessage): Promise<void> {
    const sender = await registry.findSender(message.to)
    if (!sender) return log('a message came in for a number that belongs to no project; it was dropped')
    const { from: userNumber, to: agentNumber, keyword } = message
    const optedOut = await texts.isOptedOut(userNumber, agentNumber)
    // The carrier itself answers with what it has to say about help.
    if (keyword === 'HELP') return
    if (optedOut && keyword !== 'START') return
    if (keyword === 'STOP' || (keyword === 'START' && optedOut))
      await texts.setOptedOut(userNumber, agentNumber, keyword === 'STOP', date())
    // On plain SMS the agent hears nothing of it.
    const openId = await texts.openSession(userNumber, agentNumber)
    const channel = openId ? ((await sessions.find(openId))?.channel ?? 'SMS') : channelOf(message)
    if (keyword && channel === 'SMS') return

    const { text, metadata } = wordsOf(message, keyword)
    if (text === '') return
    /** False where it was heard before. */
    const hear = async (
      session: LockedSession,
      store: (events: NewEvent[]) => Promise<StoredEvent[]>,
    ): Promise<boolean> => {
      if (await session.wasHeard(message.id)) return false
      if (metadata) await session.change({ attributes: { ...session.row.attributes, metadata } })
      await conversations.hear(session, store, { text, clientId: message.id })
      return true
    }
    let id = openId
    const joined =
      id !== undefined &&
      (await conversations.commit(id, async (session, store) => {
        if (session.row.state !== 'active') return false
        await hear(session, store)
        return true
      }))
    if (!joined) {
      const [rcs] = (await registry.senders(sender.project_id, sender.environment)).filter(
        ({ kind }) => kind === 'rcs',
      )
      const project = await registry.projectOf(sender.project_id)
      if (!project) return
      const owner = { ...sender, account_id: project.account_id, id: null }
      const numbers = { userNumber, agentNumber, rcsSender: channel === 'RCS' ? (rcs?.address ?? '') : '' }
      try {
        id = await conversations.open(owner, channel, numbers, async (session) => {
          if (!(await hear(session, (events) => session.append(events, date())))) throw new HeardBefore()
        })
      } catch (error) {
        if (error instanceof HeardBefore) return
        throw error
      }
    }
    if (id) options.wake(id)
  }

  /** Hands over what is due, several at once; the store sees to it that those of one conversation go in order. */
  function deliver(): void {
    if (stopping) return
    taking = taking
      .then(takeDue)
      .catch((error: Error) => log(`messages could not be taken to be delivered: ${error.message}`))
  }

  async function takeDue(): Promise<void> {
    while (!stopping && held.size < MOST_AT_ONCE) {
      const due = await texts.take(processId, date(), [...held.keys()])
      if (!due) return
      const handedOver = handOver(due)
        .finally(() => held.delete(due.id))
        // What failed waits for the sweep: the store may be away.
        .then(deliver, (error: Error) => log(`a message could not be delivered: ${error.message}`))
      held.set(due.id, handedOver)
    }
  }

  async function handOver({ id, session_id, message, attempts, created_at }: Delivery): Promise<void> {
    const text = message as unknown as TextMessage
    if (await texts.isOptedOut(text.to, text.from)) return texts.taken(id)
    const row = await sessions.find(session_id)
    try {
      // Once a conversation fell back to SMS, it stays there.
      const { rich, ...bare } = text
      const by = await inTime(carrier.send(rich && row?.channel === 'RCS' ? { ...bare, rich } : bare))
      if (row?.channel === 'RCS' && by === 'sms')
        await conversations.commit(session_id, async (session) => {
          await session.change({ channel: 'SMS' })
          await session.record.channel('SMS')
        })
      await texts.taken(id)
    } catch (error) {
      const tried = attempts + 1
      if (tried >= LEAST_ATTEMPTS && clock.now() - created_at.getTime() > GIVE_UP_AFTER_MS) {
        log(
          `a message was given up after ${tried} attempts: ${error instanceof Error ? error.message : 'unknown'}`,
        )
        return texts.taken(id)
      }
      const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
      await texts.again(id, new Date(clock.now() + wait))
    }
  }

  /** A carrier that says nothing is asked again: it knows the message by its id. */
  async function inTime<T>(sending: Promise<T>): Promise<T> {
    let undo = () => {}
    const late = new Promise<never>((_, reject) => {
      undo = clock.after(SEND_TIMEOUT_MS, () => reject(new Error('The carrier did not answer')))
    })
    return Promise.race([sending, late]).finally(() => undo())
  }

  const disconnect = carrier.connect(receive)
  return {
    open,
    receive,
    deliver,
    /** Resolves when nothing is on its way any more, at the latest after `ms`: what the carrier has not said to have then goes again. */
    async stop(ms: number): Promise<void> {
      stopping = true
      disconnect()
      await atMost(
        clock,
        ms,
        taking.then(() => Promise.all(held.values())),
      )
    },
  }
}

/** Undoes the conversation that the carrier's second copy of a message would have opened. */
class HeardBefore extends Error {
  override name = 'HeardBefore'
}

/** Tries so often where somebody else was quicker. */
async function again<T>(times: number, run: () => Promise<T>): Promise<T> {
  for (let left = times; ; left--) {
    try {
      return await run()
    } catch (error) {
      if ((error as { code?: string }).code !== UNIQUE_VIOLATION || left <= 1) throw error
    }
  }
}

const channelOf = (message: InboundMessage): 'SMS' | 'RCS' => (message.channel === 'rcs' ? 'RCS' : 'SMS')

/** The text with its marker, and what the marker stands for. */
function wordsOf(message: InboundMessage, keyword: InboundMessage['keyword']) {
  // The agent gets the literal word, whatever was typed.
  if (keyword) return { text: keyword, metadata: undefined }
  const { media, location, button } = message
  const tags = [media?.length && '<media/>', location && '<location/>', button && '<button/>'].filter(Boolean)
  if (tags.length === 0) return { text: message.text.trim(), metadata: undefined }
  const marker = `<metadata>${tags.join('')}</metadata>`
  return {
    text: [message.text.trim(), marker].filter((part) => part !== '').join('\n'),
    metadata: { ...(media?.length && { media }), ...(location && { location }), ...(button && { button }) },
  }
}

function asGiven(session: LockedSession, text: string, id: string): TextMessage {
  const { row } = session
  const plain = { id, to: row.user_number, from: row.agent_number, text }
  if (row.channel !== 'RCS') return plain
  return { ...plain, rich: { sender: row.rcs_sender, text, cards: [], suggestions: [], callActions: [] } }
}
