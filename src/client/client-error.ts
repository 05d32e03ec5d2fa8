// Defines the client's errors: invalid input, refused before the request, and failures of the service.

/** The parts of the API, each with failures of its own. */
export type Family = 'conversations' | 'concurrency' | 'sms' | 'calls' | 'handoff' | 'chat'

/** An option or a parameter is missing or cannot be used. Nothing was sent. */
export class InputError extends Error {
  override name = 'InputError'
  /** The option or parameter. */
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** What is known of a failure. */
export type FailureFacts = {
  /** The HTTP status; undefined if no complete answer arrived. */
  status: number | undefined
  /** The service's own code, or a code of the client: `UNEXPECTED_RESPONSE`, `UNREACHABLE`, `TIMEOUT`. */
  code: string | undefined
  /** Names the request in the logs of the service. */
  correlationId: string | undefined
  /** True if a retry makes sense and cannot repeat an action. */
  retryable: boolean
  /** The seconds in Retry-After. */
  retryAfterSeconds: number | undefined
}

/** The facts that are known; the others are undefined. */
export type KnownFacts = Partial<Omit<FailureFacts, 'retryable'>>
type NewFacts = KnownFacts & Pick<FailureFacts, 'retryable'>

/**
 * The service refused the request, failed, or gave no usable answer. Has no `cause`, since errors of `fetch` may quote
 * a header that holds a secret.
 */
export abstract class ClientError extends Error implements FailureFacts {
  abstract readonly family: Family
  readonly status: number | undefined
  readonly code: string | undefined
  readonly correlationId: string | undefined
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, facts: NewFacts) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.correlationId = facts.correlationId
    this.retryable = facts.retryable
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

/** A failure of the conversations API. */
export class ConversationsFailure extends ClientError {
  override name = 'ConversationsFailure'
  readonly family = 'conversations'
}

/** A failure of the concurrency API. */
export class ConcurrencyFailure extends ClientError {
  override name = 'ConcurrencyFailure'
  readonly family = 'concurrency'
}

/** A failure of the SMS API. */
export class SmsFailure extends ClientError {
  override name = 'SmsFailure'
  readonly family = 'sms'
}

/** A failure of the calling API. */
export class CallsFailure extends ClientError {
  override name = 'CallsFailure'
  readonly family = 'calls'
}

/** A failure of the handoff API. */
export class HandoffFailure extends ClientError {
  override name = 'HandoffFailure'
  readonly family = 'handoff'
}

/** A failure of the chat API. */
export class ChatFailure extends ClientError {
  override name = 'ChatFailure'
  readonly family = 'chat'
}

const FAILURES: Readonly<Record<Family, new (message: string, facts: NewFacts) => ClientError>> = {
  conversations: ConversationsFailure,
  concurrency: ConcurrencyFailure,
  sms: SmsFailure,
  calls: CallsFailure,
  handoff: HandoffFailure,
  chat: ChatFailure,
}

/** The facts about a request that an error needs. */
export type FailedRequest = {
  family: Family
  /** `harmless`: safe to repeat. `acts`: a repetition might send a message or place a call twice. */
  effect: 'harmless' | 'acts'
  /** What to check after a 401, after a 403, and if no answer came. */
  advice: { unauthorized: string; forbidden: string; unreachable: string }
}

const LONGEST_WORDS = 500

/** `words` and the facts may come from the service: secrets that it repeats are removed. */
export function failureOf(
  request: FailedRequest,
  words: string,
  facts: KnownFacts,
  secrets: readonly string[],
): ClientError {
  const show = (text: string) => clean(text, secrets)
  const sentence = show(words).replace(/(?<![.\s])[.\s]*$/, '.')
  const advice = adviceOf(request, facts)
  return new FAILURES[request.family](advice ? `${sentence} ${advice}` : sentence, {
    ...facts,
    code: facts.code && show(facts.code),
    correlationId: facts.correlationId && show(facts.correlationId),
    retryable: isRetryable(request.effect, facts.status),
  })
}

/**
 * Whether a retry makes sense. A request answered with 429 had no effect; one that got a 500 or lost its
 * connection may have had one.
 */
function isRetryable(effect: FailedRequest['effect'], status: number | undefined): boolean {
  if (status === 429) return true
  if (effect === 'acts') return false
  return status === undefined || (status >= 500 && status !== 501)
}

/** The next step, if one is known. */
function adviceOf(request: FailedRequest, facts: KnownFacts): string {
  const { advice, effect } = request
  const { status, retryAfterSeconds } = facts
  if (status === 401) return advice.unauthorized
  if (status === 403) return advice.forbidden
  if (status === 429)
    return retryAfterSeconds === undefined
      ? 'Send fewer requests.'
      : `Retry after ${retryAfterSeconds} seconds.`
  const mayHaveActed = effect === 'acts' && (status === undefined || status < 300 || status >= 500)
  if (mayHaveActed) return 'The request may have taken effect: check before you repeat it.'
  return status === undefined || (status >= 300 && status < 400) ? advice.unreachable : ''
}

/**
 * Puts a text on one line, without secrets and with bounded length. Cuts it last, since half a secret is a secret
 * too.
 */
function clean(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter(Boolean).flatMap(formsOf)
  const line = text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
  const shown = forms
    .sort((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, '[secret]'), line)
  return shown.length > LONGEST_WORDS ? `${shown.slice(0, LONGEST_WORDS)}…` : shown
}

/** How a service may repeat a secret: as it is, in an address, in a JSON text, in base64 or base64url. Secrets are ASCII. */
function formsOf(secret: string): string[] {
  const base64 = btoa(secret).replace(/=+$/, '')
  return [
    ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
    ...[base64, base64.replaceAll('+', '-').replaceAll('/', '_')],
  ]
}
