// Writes the OpenAPI document from the same schemas that the handlers validate with, and from their comments.

import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import {
  AccessToken,
  CallError,
  CallStarted,
  CallStatus,
  ChatError,
  Concurrency,
  ConcurrencyInterval,
  ConcurrencyQuery,
  Conversation,
  ConversationPage,
  ConversationsError,
  ConversationsQuery,
  CREDENTIALS,
  correlationHeaderOf,
  ErrorMessage,
  HandoffQuery,
  HandoffState,
  OutboundCall,
  OutboundSms,
  type Route,
  SessionCreated,
  SessionRequest,
  SmsError,
  Turn,
} from '../../api/index.ts'
import commentsFile from './comments.json' with { type: 'json' }

/** The comments of src/api, by the name of an operation, of a schema, or of a field such as `Turn.latency`. `npm run check -- --write` takes them. */
const comments: Readonly<Record<string, string | undefined>> = commentsFile

/** What the first word of an operation's id stands for. */
const PARTS: Readonly<Record<string, string>> = {
  chat: 'Tokens and sessions of webchats. The chat itself goes over the WebSocket at `/ws`.',
  conversations: 'Conversations, and what was said in them',
  concurrency: 'How many conversations were open at once',
  handoff: 'What was stored at a handoff',
  sms: 'Texts to phones',
  calls: 'Calls to phones',
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  account_id: 'The ID of the account, or its slug',
  project_id: 'The ID of the project, or its slug',
  call_sid: 'What `calls.start` answered',
  session_id: 'What `chat.createSession` answered',
}

const SCHEMES = {
  connectorToken: 'The secret token of a connector',
  accessToken: 'What `chat.accessToken` answers',
  apiKey: 'An API key of an account',
  messagingKey: 'An API key of an account that may send texts',
  callingToken: 'The token of a connector that may call',
} satisfies Record<keyof typeof CREDENTIALS, string>

/** What has a name in the document: the bodies and their parts, and the queries, whose parameters stand in the operations. */
const NAMED = {
  ...{ AccessToken, CallError, CallStarted, CallStatus, ChatError, Concurrency, ConcurrencyInterval },
  ...{ Conversation, ConversationPage, ConversationsError, ErrorMessage, HandoffState, OutboundCall },
  ...{ OutboundSms, SessionCreated, SessionRequest, SmsError, Turn },
  ...{ ConcurrencyQuery, ConversationsQuery, HandoffQuery },
}
const CONFIG = {
  errorMode: 'ignore',
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const

const described = (schema: GenericSchema) => {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...CONFIG, definitions: NAMED })
  return rest
}
const json = (schema: GenericSchema) => ({ 'application/json': { schema: described(schema) } })

/** The text as a property of something described; none if there is no text. */
const saying = (description: string | undefined) => description !== undefined && { description }

/** Each object that `paths` refer to by its name, with the comments on it and its fields. */
function componentSchemas(paths: object): Record<string, object> {
  const schemas = Object.entries(toJsonSchemaDefs(NAMED, CONFIG)).map(([name, { $schema: _, ...schema }]) => {
    const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => [
      field,
      { ...Object(property), ...saying(comments[`${name}.${field}`]) },
    ])
    return [name, { ...saying(comments[name]), ...schema, properties: Object.fromEntries(properties) }]
  })
  const text = JSON.stringify([paths, schemas])
  return Object.fromEntries(schemas.filter(([name]) => text.includes(`"#/components/schemas/${name}"`)))
}

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: object }

function parametersOf(route: Route, prefix: string): Parameter[] {
  const pathParameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Parameter => ({
      name,
      in: 'path',
      required: true,
      ...saying(PATH_PARAMETERS[name]),
      schema: { type: 'string' },
    }),
  )
  const headers = Object.entries(route.headers ?? {}).map(
    ([name, description]): Parameter => ({
      name: name.replace('{prefix}', prefix),
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }),
  )
  const [queryName] = Object.entries(NAMED).find(([, schema]) => schema === route.query) ?? []
  const query = Object.entries(route.query?.entries ?? {}).map(
    ([name, schema]): Parameter => ({
      name,
      in: 'query',
      required: schema.type !== 'optional',
      ...saying(comments[`${queryName}.${name}`]),
      schema: described(schema as GenericSchema),
    }),
  )
  return [...pathParameters, ...headers, ...query]
}

/** A server that starts, or has to wait for its database, answers with 503, in the error body of the family. */
const withStarting = (responses: Route['responses']): Route['responses'] => ({
  ...responses,
  503: {
    ...responses[500],
    when: 'The server is starting, or its database is slow; Retry-After says how many seconds to wait',
  },
})

function securitySchemes(prefix: string): Record<string, object> {
  const schemes = Object.entries(CREDENTIALS).map(([name, header]) => {
    const description = SCHEMES[name as keyof typeof SCHEMES]
    return [
      name,
      name === 'accessToken'
        ? { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }
        : { type: 'apiKey', in: 'header', name: header.replace('{prefix}', prefix), description },
    ]
  })
  return Object.fromEntries(schemes)
}

export function openApiDocument(routes: readonly Route[], prefix: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const header = (description: string, required: boolean) => ({
    schema: { type: 'string' },
    ...(required && { required }),
    description,
  })
  for (const route of routes) {
    const { name, summary, credential, body } = route
    const [part = ''] = name.split('.')
    const operation = {
      operationId: name,
      tags: [part],
      summary,
      description: `${comments[name] ?? ''}\n\nCredential: ${credential.is}.`.trim(),
      security: [{ [credential.name]: [] }],
      parameters: parametersOf(route, prefix),
      ...(body && { requestBody: { required: body.required, content: json(body.schema) } }),
      responses: Object.fromEntries(
        Object.entries(withStarting(route.responses)).map(([status, { when, schema, headers = {} }]) => [
          status,
          {
            description: when,
            headers: {
              [correlationHeaderOf(prefix)]: header('Identifies the request', true),
              ...Object.fromEntries(
                Object.entries(headers).map(([name, description]) => [
                  name.replace('{prefix}', prefix),
                  header(description, false),
                ]),
              ),
            },
            ...(schema && { content: json(schema) }),
          },
        ]),
      ),
    }
    paths[route.path] = { ...paths[route.path], [route.method]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: '1',
      description: 'The HTTP API of a conversational agent service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    tags: Object.entries(PARTS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: componentSchemas(paths), securitySchemes: securitySchemes(prefix) },
  }
}
