// What can go wrong with the client: the caller's own input, refused before the request, or the service's answer.

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

export type FailureFacts = {
  /** The HTTP status; undefined where no whole answer came. */
  status: number | undefined
  /** The service's own code, or one of ours: `UNEXPECTED_RESPONSE`, `UNREACHABLE`, `TIMEOUT`. */
  code: string | undefined
  /** Names the request in the logs of the service. */
  correlationId: string | undefined
  /** True where asking again makes sense and cannot do the same thing twice. */
  retryable: boolean
  /** What Retry-After said. */
  retryAfterSeconds: number | undefined
}

/**
 * The service refused, failed, or gave no answer that can be used. Has no `cause`: errors of `fetch` may quote
 * a header, and with it a secret.
 */
export abstract class ClientError extends Error implements FailureFacts {
  abstract readonly family: Family
  readonly status: number | undefined
  readonly code: string | undefined
  readonly correlationId: string | undefined
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, facts: FailureFacts) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.correlationId = facts.correlationId
    this.retryable = facts.retryable
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

export class ConversationsFailure extends ClientError {
  override name = 'ConversationsFailure'
  readonly family = 'conversations'
}

export class ConcurrencyFailure extends ClientError {
  override name = 'ConcurrencyFailure'
  readonly family = 'concurrency'
}

export class SmsFailure extends ClientError {
  override name = 'SmsFailure'
  readonly family = 'sms'
}

export class CallsFailure extends ClientError {
  override name = 'CallsFailure'
  readonly family = 'calls'
}

export class HandoffFailure extends ClientError {
  override name = 'HandoffFailure'
  readonly family = 'handoff'
}

export class ChatFailure extends ClientError {
  override name = 'ChatFailure'
  readonly family = 'chat'
}

const FAILURES: Readonly<Record<Family, new (message: string, facts: FailureFacts) => ClientError>> = {
  conversations: ConversationsFailure,
  concurrency: ConcurrencyFailure,
  sms: SmsFailure,
  calls: CallsFailure,
  handoff: HandoffFailure,
  chat: ChatFailure,
}

/** What there is to know of a request where it fails. */
export type FailedRequest = {
  family: Family
  /** `harmless`: may be asked twice. `acts`: a second one might send or call a second time. */
  effect: 'harmless' | 'acts'
  /** What to check after a 401 and a 403, and where no answer came. */
  cures: { unauthorized: string; forbidden: string; unreachable: string }
}

const LONGEST_WORDS = 500

/** `words` and facts may be the service's own: they are shown without the secrets that it may have repeated. */
export function failureOf(
  request: FailedRequest,
  words: string,
  facts: Omit<FailureFacts, 'retryable'>,
  secrets: readonly string[],
): ClientError {
  const show = (text: string) => clean(text, secrets)
  const sentence = show(words).replace(/[.\s]*$/, '.')
  const cure = cureOf(request, facts)
  return new FAILURES[request.family](cure ? `${sentence} ${cure}` : sentence, {
    ...facts,
    code: facts.code && show(facts.code),
    correlationId: facts.correlationId && show(facts.correlationId),
    retryable: isRetryable(request.effect, facts.status),
  })
}

/** Whether asking again makes sense. A 429 did nothing; a 500 or a cut connection may have acted all the same. */
function isRetryable(effect: FailedRequest['effect'], status: number | undefined): boolean {
  if (status === 429) return true
  if (effect === 'acts') return false
  return status === undefined || (status >= 500 && status !== 501)
}

/** The next step, where one is known. */
function cureOf(request: FailedRequest, facts: Omit<FailureFacts, 'retryable'>): string {
  const { cures, effect } = request
  const { status, retryAfterSeconds } = facts
  if (status === 401) return cures.unauthorized
  if (status === 403) return cures.forbidden
  if (status === 429)
    return retryAfterSeconds === undefined
      ? 'Ask less often.'
      : `Ask again after ${retryAfterSeconds} seconds.`
  const mayHaveActed = effect === 'acts' && (status === undefined || status < 300 || status >= 500)
  if (mayHaveActed) return 'It may have been done all the same: look before you ask again.'
  return status === undefined || (status >= 300 && status < 400) ? cures.unreachable : ''
}

/** On one line, without secrets, and no longer than a log can bear; cut last, as half a secret is one too. */
function clean(text: string, secrets: readonly string[]): string {
  const forms = secrets.filter(Boolean).flatMap((secret) => [secret, encodeURIComponent(secret)])
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  const shown = forms
    .sort((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, '[secret]'), line)
  return shown.length > LONGEST_WORDS ? `${shown.slice(0, LONGEST_WORDS)}…` : shown
}
