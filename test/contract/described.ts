// Holds every answer against the OpenAPI document that the service itself gives out.

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'

type Operation = {
  responses: Record<
    string,
    { content?: Record<string, { schema: object }>; headers: Record<string, { required?: boolean }> }
  >
}
type Document = { paths: Record<string, Record<string, Operation>>; components: object }

export type Check = (method: string, path: string, response: Response) => Promise<void>

export function createCheck(document: Document): Check {
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
  })
  const compiled = new Map<string, ValidateFunction>()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  )
  return async (method, path, response) => {
    const known = operations.filter(({ pattern }) => pattern.test(path))
    // Another method than those described is answered by the rules of what is described there.
    const found =
      known.find((each) => each.method === method) ?? (response.status === 405 ? known[0] : undefined)
    if (!found) {
      if (known.length > 0 && method !== 'OPTIONS' && method !== 'HEAD')
        throw new Error(`${method} ${path} is not described, and was answered with ${response.status}`)
      return
    }
    const described = found.operation.responses[String(response.status)]
    if (!described)
      throw new Error(`${method} ${path} answered with ${response.status}, which is not described`)
    for (const [header, { required }] of Object.entries(described.headers))
      if (required && !response.headers.has(header))
        throw new Error(`${method} ${path} answered without ${header}`)
    const text = await response.clone().text()
    const schema = described.content?.['application/json']?.schema
    if (!schema) {
      if (text !== '') throw new Error(`${method} ${path} answered ${response.status} with a body`)
      return
    }
    const key = `${found.method} ${found.path} ${response.status}`
    const validate = compiled.get(key) ?? ajv.compile({ ...schema, components: document.components })
    compiled.set(key, validate)
    if (!validate(JSON.parse(text)))
      throw new Error(`${key} is not as described: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`)
  }
}
