// The OpenAPI document, as generators of clients and linters read it.

import Ajv2020 from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { commentsIn, flawsOfComments } from '../../scripts/api-comments.mjs'
import { ROUTES } from '../../src/api/index.ts'
import { createClient } from '../../src/client/client.ts'
import { openApiDocument } from '../../src/runtime/http/openapi.ts'

type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters: { name: string; in: string }[]
  responses: Record<string, { content?: object }>
}
type Document = {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, { properties: Record<string, { description?: string }> }>
    securitySchemes: Record<string, object>
  }
}
const document = openApiDocument(ROUTES, 'Shop') as Document
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
const text = JSON.stringify(document)

describe('an operation of the document', () => {
  const client = createClient({ chatUrl: 'https://service.example.com' }) as unknown as Record<
    string,
    Record<string, unknown>
  >
  const methods = Object.entries(client).flatMap(([part, each]) =>
    Object.keys(each).map((method) => `${part}.${method}`),
  )

  it('is named as the method of the client that asks it, and no two alike', () => {
    const ids = operations.map(({ operationId }) => operationId)
    // The client has no method for what is Foyer's own.
    expect(ids.filter((id) => !methods.includes(id))).toEqual(['chat.sessionStatus'])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says what it is for, belongs to a part, and names a credential, all of which are described', () => {
    for (const { operationId, summary, description, tags, security } of operations) {
      expect([operationId, summary, /\w.*\n\nCredential: \w.*\.$/.test(description)]).toEqual([
        operationId,
        expect.stringMatching(/^[A-Z].{9}/),
        true,
      ])
      expect(document.tags.map(({ name }) => name)).toContain(tags[0])
      expect(Object.keys(document.components.securitySchemes)).toContain(Object.keys(security[0] ?? {})[0])
    }
    const used = new Set(
      operations.flatMap(({ tags, security }) => [...tags, ...Object.keys(security[0] ?? {})]),
    )
    const described = [
      ...document.tags.map(({ name }) => name),
      ...Object.keys(document.components.securitySchemes),
    ]
    expect([...used].sort()).toEqual(described.sort())
  })

  it('has a body in every answer but the one without words, and answers while the server starts', () => {
    for (const { operationId, responses } of operations)
      for (const [status, { content }] of Object.entries(responses))
        expect([operationId, status, content !== undefined]).toEqual([operationId, status, status !== '202'])
    expect(operations.filter(({ responses }) => !responses['503'])).toEqual([])
  })

  it('has no header for what the security scheme says', () => {
    const headers = operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    )
    expect(headers).toEqual(['X-Host', 'X-TOKEN-ID'])
  })
})

it('the credentials stand in the headers of the prefix', () => {
  const { accessToken, ...others } = document.components.securitySchemes
  expect(accessToken).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(others).toEqual({
    connectorToken: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-Token' }),
    apiKey: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'x-api-key' }),
    messagingKey: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-Shop-Auth-Token' }),
    callingToken: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'X-Shop-Auth-Token' }),
  })
})

it('the document stands at its server, and every name in it leads to an object that is used', () => {
  expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }])
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
  expect([...named].sort()).toEqual(Object.keys(document.components.schemas).sort())
  expect(text).not.toMatch(/\$defs|undefined|\{prefix\}/)
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  ajv.addSchema(document, 'document')
  for (const name of named) ajv.getSchema(`document#/components/schemas/${name}`)
})

describe('the comments of the source', () => {
  it('stand in the document, of objects, fields and parameters', () => {
    const { Turn, Conversation } = document.components.schemas
    expect(Turn?.properties.latency?.description).toBe('Seconds that the agent took.')
    expect(Conversation?.properties.turns?.description).toBe(
      'Empty if the project gives no access to transcripts.',
    )
    const list = operations.find(({ operationId }) => operationId === 'conversations.list')
    expect(list?.parameters.find(({ name }) => name === 'sample')).toMatchObject({
      description: 'A random sample of the time range.',
    })
  })

  it('are taken anew where they have changed', () => {
    expect(flawsOfComments()).toEqual([])
  })

  it('belong to what they stand above', () => {
    const source = [
      '/** An object. */',
      'export const Thing = v.object({',
      '  /**',
      '   * Two',
      '   * lines.',
      '   */',
      '  first: v.string(),',
      '  second: v.string(),',
      '  /** Third. */',
      '  third: v.string(),',
      '})',
      'export type Thing = 1',
      '',
      'export const Other = v.object({',
      '  /** Of the other. */',
      '  first: v.string(),',
      '})',
    ]
    expect(commentsIn(source.join('\n'))).toEqual([
      ['Thing', 'An object.'],
      ['Thing.first', 'Two lines.'],
      ['Thing.third', 'Third.'],
      ['Other.first', 'Of the other.'],
    ])
  })
})
