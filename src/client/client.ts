// Creates the typed client of the service. It is for servers, since it holds secrets.

import type { GenericSchema } from 'valibot'
import {
  type AccessToken,
  CallStarted,
  callRoute,
  callStatusRoute,
  concurrencyRoute,
  conversationsRoute,
  handoffRoute,
  SessionCreated,
  searchIncompleteHeader,
  sessionRoute,
  smsRoute,
  writeQuery,
} from '../api/index.ts'
import { chatEndpoint } from '../protocol/index.ts'
import { accessTokenExchange } from './access-token.ts'
import { CallStatus, Concurrency, type Conversation, ConversationPage, HandoffState } from './answers.ts'
import * as check from './check-parameters.ts'
import type { Family } from './client-error.ts'
import {
  type ClientOptions,
  type ClientSettings,
  type RequestOptions,
  readOptions,
} from './client-options.ts'
import { type FetchPage, iterateConversations } from './iterate.ts'
import type {
  CallParameters,
  ConcurrencyParameters,
  HandoffParameters,
  IterateParameters,
  ListParameters,
  Project,
  SampleParameters,
  SearchParameters,
  SessionParameters,
  SmsParameters,
} from './parameters.ts'
import { refuseBrowser } from './refuse-browser.ts'
import { createTransport, type Exchange } from './transport.ts'
import { type WaitOptions, waitForCall } from './wait-for-call.ts'

/**
 * All methods reject with an `InputError` before the request, with a `ClientError` of their family after it, and with
 * the signal's reason if the signal is aborted.
 */
export type Client = {
  conversations: {
    /** One page of conversations. */
    list(given: ListParameters, options?: RequestOptions): Promise<ConversationPage>
    /**
     * Iterates over all conversations by cursor. Fetches the next page while the caller reads the current one. Rejects if
     * the service gives a page twice, or a hundred empty pages in a row.
     */
    iterate(given: IterateParameters, options?: RequestOptions): AsyncIterable<Conversation>
    /** A page of conversations in which something was said: by words (`transcript`) or by meaning (`semantic`). */
    search(given: SearchParameters, options?: RequestOptions): Promise<ConversationPage>
    /** Random conversations of a time range. */
    sample(given: SampleParameters, options?: RequestOptions): Promise<ConversationPage>
  }
  concurrency: {
    /** The most conversations at the same time, for each interval of a time range. */
    query(given: ConcurrencyParameters, options?: RequestOptions): Promise<Concurrency>
  }
  sms: {
    /** Resolves when the service has accepted the message. */
    send(given: SmsParameters, options?: RequestOptions): Promise<void>
  }
  calls: {
    /** Resolves to the call's SID when the service has queued the call. */
    start(given: CallParameters, options?: RequestOptions): Promise<CallStarted>
    /** The status of a call now. */
    status(call_sid: string, options?: RequestOptions): Promise<CallStatus>
    /**
     * Polls until the call has ended, for an hour at most by default: then it rejects with a `CallsFailure` whose `code` is `TIMEOUT`, and the
     * call goes on. A failed call is a result, not an error.
     */
    wait(call_sid: string, options?: WaitOptions): Promise<CallStatus>
  }
  /** `get`: the data that an agent stored when it handed a conversation off. */
  handoff: { get(given: HandoffParameters, options?: RequestOptions): Promise<HandoffState> }
  chat: {
    /** A new access token for one visitor. */
    accessToken(options?: RequestOptions): Promise<AccessToken>
    /** A session is bound to its access token: the socket must present the same one. */
    createSession(given: SessionParameters, options?: RequestOptions): Promise<SessionCreated>
  }
}

const LARGEST_PAGE = 64 * 1024 * 1024
const LARGEST_ANSWER = 1024 * 1024

/** Creates the client. Throws an `InputError` for an option that cannot be used, and an Error in a browser, where every visitor could read its keys. */
export function createClient(options: ClientOptions): Client {
  refuseBrowser()
  const { need, clock, headerPrefix, ...transport } = readOptions(options)
  const { send } = createTransport({ ...transport, clock })
  const tokenHeader = `X-${headerPrefix}-Auth-Token`

  const answer = <T>(schema: GenericSchema<unknown, T>, largest = LARGEST_ANSWER) => ({
    status: 200,
    schema,
    largest,
  })

  /** Sends one GET about a project. */
  function getOfProject<T>(
    family: Family,
    route: { path: string },
    given: Project,
    read: (rest: Record<string, unknown>) => Record<string, unknown>,
    success: Exchange<T>['success'],
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { path, rest } = check.readProject(route.path, given)
    const query = writeQuery(read(rest))
    const exchange = runtimeExchange(need, family, { route: route.path, path }, 'apiKey', 'x-api-key')
    exchange.url.search = query
    return send({ ...exchange, method: 'GET', success, effect: 'harmless' }, signal)
  }

  const fetchPage: FetchPage = (given, read, signal) =>
    getOfProject(
      'conversations',
      conversationsRoute,
      given,
      read,
      {
        ...answer<ConversationPage>(ConversationPage, LARGEST_PAGE),
        add: (headers) => (headers.has(searchIncompleteHeader(headerPrefix)) ? { incomplete: true } : {}),
      },
      signal,
    )

  const fetchCallStatus = (call_sid: string, signal: AbortSignal | undefined): Promise<CallStatus> => {
    const { path: route } = callStatusRoute
    const path = route.replace('{call_sid}', check.readCallSid(call_sid))
    const exchange = runtimeExchange(need, 'calls', { route, path }, 'authToken', tokenHeader)
    return send({ ...exchange, method: 'GET', success: answer(CallStatus), effect: 'harmless' }, signal)
  }

  return {
    conversations: {
      list: async (given, { signal } = {}) => fetchPage(given, check.readList, signal),
      iterate: (given, { signal } = {}) => ({
        [Symbol.asyncIterator]: () => iterateConversations(fetchPage, given, signal),
      }),
      search: async (given, { signal } = {}) => fetchPage(given, check.readSearch, signal),
      sample: async (given, { signal } = {}) => fetchPage(given, check.readSample, signal),
    },
    concurrency: {
      query: async (given, { signal } = {}) =>
        getOfProject(
          'concurrency',
          concurrencyRoute,
          given,
          check.readConcurrency,
          answer(Concurrency, LARGEST_PAGE),
          signal,
        ),
    },
    sms: {
      send: async (given, { signal } = {}) => {
        const body = check.readSms(given)
        const exchange = runtimeExchange(need, 'sms', { route: smsRoute.path }, 'apiKey', tokenHeader)
        const headers = { ...exchange.headers, 'x-token-id': need('connectorId') }
        const success = { status: 202, largest: 0 }
        return send<void>({ ...exchange, method: 'POST', headers, body, success, effect: 'acts' }, signal)
      },
    },
    calls: {
      start: async (given, { signal } = {}) => {
        const body = check.readCall(given)
        const exchange = runtimeExchange(need, 'calls', { route: callRoute.path }, 'authToken', tokenHeader)
        return send(
          { ...exchange, method: 'POST', body, success: answer(CallStarted), effect: 'acts' },
          signal,
        )
      },
      status: async (call_sid, { signal } = {}) => fetchCallStatus(call_sid, signal),
      wait: async (call_sid, options = {}) =>
        waitForCall((signal) => fetchCallStatus(call_sid, signal), clock, options),
    },
    handoff: {
      get: async (given, { signal } = {}) =>
        getOfProject(
          'handoff',
          handoffRoute,
          given,
          check.readHandoff,
          answer(HandoffState, LARGEST_PAGE),
          signal,
        ),
    },
    chat: {
      accessToken: async ({ signal } = {}) => {
        const connectorToken = need('connectorToken')
        const host = need('host')
        return send(accessTokenExchange({ connectorToken, host, chatUrl: need('chatUrl') }), signal)
      },
      createSession: async (given, { signal } = {}) => {
        const { access_token, user_agent, body } = check.readSession(given)
        const headers = {
          authorization: `Bearer ${access_token}`,
          ...(user_agent !== undefined && { 'user-agent': user_agent }),
        }
        const advice = 'Get a new access token: this one has expired, or belongs to another service.'
        const exchange: Exchange<SessionCreated> = {
          family: 'chat',
          method: 'POST',
          url: chatEndpoint(need('chatUrl'), sessionRoute.path),
          route: sessionRoute.path,
          ...{ headers, body },
          success: answer(SessionCreated),
          effect: 'acts',
          advice: { unauthorized: advice, forbidden: advice, unreachable: 'Check chatUrl and region.' },
          secret: access_token,
        }
        return send(exchange, signal)
      },
    },
  }
}

/** The parts that the requests for conversations, concurrency, handoff, calls and SMS share. */
const runtimeExchange = (
  need: ClientSettings['need'],
  family: Family,
  { route, path = route }: { route: string; path?: string },
  credential: 'apiKey' | 'authToken',
  header: string,
) => ({
  family,
  url: chatEndpoint(need('apiUrl'), path),
  route,
  headers: { [header]: need(credential) },
  advice: {
    unauthorized: `Check ${credential}, and that it is for the region of apiUrl.`,
    forbidden: `Check that ${credential} is for this account, project and region, and has the permission.`,
    unreachable: 'Check apiUrl and region.',
  },
})
