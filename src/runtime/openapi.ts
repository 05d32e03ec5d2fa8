// The OpenAPI document, made from the same descriptions that the doors validate with.

import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Route } from '../api/index.ts'

const json = (schema: GenericSchema) => {
  const { $schema: _, ...described } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' })
  return { 'application/json': { schema: described } }
}

export function openApiDocument(routes: readonly Route[], correlationHeader: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const operation = {
      summary: route.summary,
      parameters: Object.entries(route.headers).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      ...(route.body && {
        requestBody: { required: route.body.required, content: json(route.body.schema) },
      }),
      responses: Object.fromEntries(
        Object.entries(route.responses).map(([status, { when, schema }]) => [
          status,
          {
            description: when,
            headers: {
              [correlationHeader]: { schema: { type: 'string' }, description: 'Identifies the request' },
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
