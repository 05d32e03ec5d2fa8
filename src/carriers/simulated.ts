// Simulates phones, to try messages and calls without a carrier, and for tests. The last digits of a number decide what
// its phone does; code can also set up a device.
//
//   +1500555 0011 does not answer   0012 is busy   0013 picks up and hangs up   0014 cannot be reached
//   +1500555 0015 is a landline, which refuses texts      002x has RCS
//   every other number picks up and talks, and has SMS alone

import { randomUUID } from 'node:crypto'
import {
  type Carrier,
  type Clock,
  type InboundMessage,
  keywordOf,
  sleep,
  systemClock,
  type TextMessage,
} from '../runtime/index.ts'
import { infoMessages } from './keywords.ts'

/** What a simulated phone does. */
export type Device = {
  /** Whether it gets RCS; else SMS alone. */
  rcs: boolean
  /** Refuses every message. */
  landline: boolean
  /** What happens when it is called. */
  answers: 'talks' | 'hangs-up' | 'no-answer' | 'busy' | 'unreachable'
  /** What the phone's owner says in a call, in order; an empty entry is a silence. */
  script: readonly string[]
}

/** One message on a phone's screen. */
export type PhoneMessage = {
  id: string
  /** `in`: the phone received it. */
  direction: 'in' | 'out'
  channel: 'sms' | 'rcs'
  /** The other number. */
  with: string
  text: string
  rich?: TextMessage['rich']
  /** Milliseconds since 1970. */
  at: number
}

/** A message that the owner of a phone writes or taps. */
export type Written = Partial<Pick<InboundMessage, 'text' | 'media' | 'location' | 'button'>>

/** The options of `createSimulatedCarrier`. */
export type SimulatedOptions = {
  /** The time and the timers, for tests. Default: those of the system. */
  clock?: Clock
  /** A new id for a message. Default: random ids. */
  uuid?: () => string
  /** Phones by their numbers, where they differ from what the last digits of a number say. */
  devices?: Readonly<Record<string, Partial<Device>>>
  /** Latency of the network in milliseconds. Default: 300. */
  delayMs?: number
  /** How long a phone rings, in milliseconds. Default: 2,000. */
  ringMs?: number
}

/** A carrier for messages and calls, and the phones that it reaches. */
export interface SimulatedCarrier extends Required<Omit<Carrier, 'connect'>> {
  /** Subscribes to what phones send. Returns the undo. */
  connect(receive: (message: InboundMessage) => Promise<void>): () => void
  /** What the phone of this number does. */
  deviceOf(number: string): Device
  /** The screen of a phone, oldest message first. */
  screen(number: string): readonly PhoneMessage[]
  /** The messages sent so far, newest last. */
  outbox(): readonly TextMessage[]
  /** Makes the next `count` messages fail. */
  failNext(count: number): void
  /** Calls back with the number of a phone whose screen changed; returns the undo. */
  watch(screenListener: (number: string) => void): () => void
  /** Writes from a phone to one of the runtime's numbers, by RCS if the phone has RCS and the last message came by RCS. */
  write(number: string, to: string, written: Written, id?: string): Promise<void>
}

const SCRIPT = ['Hello, who is there?', '', 'Thank you, goodbye.']
const MOST_KEPT = 200
const MOST_PHONES = 1_000

/** Creates simulated phones. They keep their screens in memory, and answer STOP, START and HELP. */
export function createSimulatedCarrier(options: SimulatedOptions = {}): SimulatedCarrier {
  const phones = createPhones(options)
  return { ...phones.carrier, ...phones }
}

function createPhones(options: SimulatedOptions) {
  const { clock = systemClock, uuid = randomUUID, devices = {}, delayMs = 300, ringMs = 2_000 } = options
  const screens = new Map<string, PhoneMessage[]>()
  const screenListeners = new Set<(number: string) => void>()
  const seenMessageIds = new Set<string>()
  const outbox: TextMessage[] = []
  let receiveInbound: ((message: InboundMessage) => Promise<void>) | undefined
  let failingSends = 0

  const pass = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms > 0 || signal?.aborted) await sleep(clock, ms, signal, 'The call was ended')
  }

  function deviceOf(number: string): Device {
    const [, code] = /^\+1500555(\d{4})$/.exec(number) ?? []
    const answers = ANSWERS[code ?? ''] ?? 'talks'
    const rcs = code?.startsWith('002') ?? false
    return { rcs, landline: code === '0015', answers, script: SCRIPT, ...devices[number] }
  }

  function showOnScreen(number: string, message: Omit<PhoneMessage, 'at'>): void {
    const screen = screens.get(number) ?? []
    // Evicts the least recently used phone first.
    screens.delete(number)
    screens.set(number, [...screen, { ...message, at: clock.now() }].slice(-MOST_KEPT))
    for (const oldest of screens.keys()) if (screens.size > MOST_PHONES) screens.delete(oldest)
    for (const screenListener of screenListeners) screenListener(number)
  }

  const carrier = {
    connect(to: (message: InboundMessage) => Promise<void>) {
      receiveInbound = to
      return () => {
        // A runtime that was created meanwhile stays connected.
        if (receiveInbound === to) receiveInbound = undefined
      }
    },
    async send(message) {
      if (failingSends > 0) {
        failingSends--
        throw new Error('The network is down')
      }
      await pass(delayMs)
      const { rcs, landline } = deviceOf(message.to)
      if (landline) return { status: 'refused', reason: 'The number is a landline: it gets no texts.' }
      const byRcs = message.rich !== undefined && rcs
      const channel = byRcs ? 'rcs' : 'sms'
      if (seenMessageIds.has(message.id)) return { status: 'accepted', channel }
      seenMessageIds.add(message.id)
      outbox.push(message)
      if (outbox.length > MOST_KEPT) outbox.shift()
      const screenContent =
        byRcs && message.rich ? { text: message.rich.text, rich: message.rich } : { text: message.text }
      showOnScreen(message.to, {
        id: message.id,
        direction: 'in',
        channel,
        with: message.from,
        ...screenContent,
      })
      return { status: 'accepted', channel }
    },
    async call(call, line, signal) {
      const { answers, script } = deviceOf(call.to)
      await pass(delayMs, signal)
      if (answers === 'unreachable') return { status: 'failed', reason: 'The number cannot be reached.' }
      if (answers === 'busy') return { status: 'failed', reason: 'The line is busy.' }
      await pass(ringMs, signal)
      if (answers === 'no-answer') return { status: 'failed', reason: 'The call was not answered.' }
      if (answers === 'hangs-up') return { status: 'completed' }
      let spokenAnswer = await line.answered()
      for (const speech of script) {
        if (spokenAnswer.hangUp) break
        await pass(delayMs, signal)
        spokenAnswer = await line.heard({ speech })
      }
      return { status: 'completed' }
    },
  } satisfies Carrier

  return {
    carrier,
    deviceOf,

    /** The screen of a phone, oldest message first. */
    screen: (number: string): readonly PhoneMessage[] => screens.get(number) ?? [],
    /** The messages sent so far, newest last. */
    outbox: (): readonly TextMessage[] => outbox,
    /** Makes the next `count` messages fail. */
    failNext(count: number): void {
      failingSends = count
    },
    /** Calls back with the number of a phone whose screen changed; returns the undo. */
    watch(screenListener: (number: string) => void): () => void {
      screenListeners.add(screenListener)
      return () => screenListeners.delete(screenListener)
    },

    /** Writes from a phone to one of the runtime's numbers, by RCS if the phone has RCS and the last message came by RCS. */
    async write(number: string, to: string, written: Written, id: string = uuid()): Promise<void> {
      const last = screens.get(number)?.findLast((message) => message.with === to)
      const channel = deviceOf(number).rcs && last?.channel === 'rcs' ? 'rcs' : 'sms'
      const text = written.text ?? ''
      const shownText =
        text || written.button?.text || written.location?.label || written.media?.[0]?.url || ''
      showOnScreen(number, { id, direction: 'out', channel, with: to, text: shownText })
      const keyword = keywordOf(text)
      const info = keyword && infoMessages[keyword]
      await receiveInbound?.({ id, channel, from: number, to, ...written, text, keyword })
      // The carrier itself answers the keywords.
      if (info) showOnScreen(number, { id: uuid(), direction: 'in', channel, with: to, text: info })
    },
  }
}

const ANSWERS: Readonly<Record<string, Device['answers']>> = {
  '0011': 'no-answer',
  '0012': 'busy',
  '0013': 'hangs-up',
  '0014': 'unreachable',
}
