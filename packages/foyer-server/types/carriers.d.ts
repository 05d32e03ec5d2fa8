interface Clock {
  now(): number

  after(ms: number, fn: () => void): () => void
}

type PhoneCall = {
  sid: string
  to: string
  from: string
  metadata: Readonly<Record<string, string>>
  encryption: string
}

interface CallLeg {
  answered(): Promise<SpokenAnswer>

  heard(input: { speech?: string; dtmf?: string }): Promise<SpokenAnswer>
}

type SpokenAnswer = {
  text: string
  hangUp: boolean
}

type CallOutcome =
  | {
      status: 'completed'
    }
  | {
      status: 'failed'
      reason: string
    }

interface CallCarrier {
  call(call: PhoneCall, line: CallLeg, signal: AbortSignal): Promise<CallOutcome>
}

type Attachment = {
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  content_url: string
  title?: string | undefined
  preview_image_url?: string | undefined
  call_to_action_text?: string | undefined
}

type Suggestion = {
  message_text: string
  payload?: string | undefined
}

type CallAction = {
  title: string
  contact_number: string
}

type Keyword = 'STOP' | 'START' | 'HELP'

type TextMessage = {
  id: string
  to: string
  from: string
  text: string
  rich?: {
    sender: string
    text: string
    cards: readonly Attachment[]
    suggestions: readonly Suggestion[]
    callActions: readonly CallAction[]
  }
}

type InboundMessage = {
  id: string
  channel: 'sms' | 'rcs'
  from: string
  to: string
  text: string

  keyword?: Keyword | undefined
  media?: readonly {
    content_type: string
    url: string
  }[]
  location?: {
    latitude: string
    longitude: string
    address: string
    label: string
  }
  button?: {
    payload: string
    text: string
    type: string
  }
}

type SendOutcome =
  | {
      status: 'accepted'
      channel: 'sms' | 'rcs'
    }
  | {
      status: 'refused'
      reason: string
    }
  | {
      status: 'unknown'
    }

type Receipt = {
  id: string
  status: 'delivered' | 'failed'
  reason?: string | undefined
}

interface MessageCarrier {
  connect(
    receive: (message: InboundMessage) => Promise<void>,
    report: (receipt: Receipt) => Promise<void>,
  ): () => void

  send(message: TextMessage): Promise<SendOutcome>
}

type Carrier = Partial<MessageCarrier & CallCarrier>

type Device = {
  rcs: boolean
  landline: boolean
  answers: 'talks' | 'hangs-up' | 'no-answer' | 'busy' | 'unreachable'
  script: readonly string[]
}

type PhoneMessage = {
  id: string
  direction: 'in' | 'out'
  channel: 'sms' | 'rcs'
  with: string
  text: string
  rich?: TextMessage['rich']
  at: number
}

type Written = Partial<Pick<InboundMessage, 'text' | 'media' | 'location' | 'button'>>

type SimulatedOptions = {
  clock?: Clock
  uuid?: () => string
  devices?: Readonly<Record<string, Partial<Device>>>
  delayMs?: number
  ringMs?: number
}

interface SimulatedCarrier extends Required<Omit<Carrier, 'connect'>> {
  connect(receive: (message: InboundMessage) => Promise<void>): () => void

  deviceOf(number: string): Device

  screen(number: string): readonly PhoneMessage[]

  outbox(): readonly TextMessage[]

  failNext(count: number): void

  watch(screenListener: (number: string) => void): () => void

  write(number: string, to: string, written: Written, id?: string): Promise<void>
}

declare function createSimulatedCarrier(options?: SimulatedOptions): SimulatedCarrier
export { type Device, type PhoneMessage, type SimulatedCarrier, type Written, createSimulatedCarrier }
