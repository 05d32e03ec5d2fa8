// Writes the OpenAPI document from the same schemas that the handlers validate with.

import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { correlationHeaderOf, type Route } from '../../api/index.ts'

const described = (schema: GenericSchema) => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore' })
  return rest
}
const json = (schema: GenericSchema) => ({ 'application/json': { schema: described(schema) } })

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: object }

function parametersOf(route: Route, prefix: string): Parameter[] {
  const pathParameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }),
  )
  const headers = Object.entries(route.headers).map(
    ([name, description]): Parameter => ({
      name: name.replace('{prefix}', prefix),
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }),
  )
  const query = Object.entries(route.query?.entries ?? {}).map(
    ([name, schema]): Parameter => ({
      name,
      in: 'query',
      required: schema.type !== 'optional',
      schema: described(schema as GenericSchema),
    }),
  )
  return [...pathParameters, ...headers, ...query]
}

/** A server that starts answers every request with 503, in the error body of the family. */
const withStarting = (responses: Route['responses']): Route['responses'] => ({
  ...responses,
  503: { ...responses[500], when: 'The server is starting; Retry-After says how many seconds to wait' },
})

export function openApiDocument(routes: readonly Route[], prefix: string): object {
  const paths: Record<string, Record<string, object>> = {}
  const header = (description: string, required: boolean) => ({
    schema: { type: 'string' },
    ...(required && { required }),
    description,
  })
  for (const route of routes) {
    const operation = {
      summary: route.summary,
      parameters: parametersOf(route, prefix),
      ...(route.body && {
        requestBody: { required: route.body.required, content: json(route.body.schema) },
      }),
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
    info: { title: 'Foyer runtime', version: '1' },
    paths,
  }
}
