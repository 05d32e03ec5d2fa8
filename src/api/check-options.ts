// Checks the options of createRuntime, createBff and createClient, which JavaScript hands over in any shape. An error names the option
// and says what it may be. It never repeats a value, which may be a secret.

import * as v from 'valibot'

/** `what`: completes the sentence “<option> must be …”. */
export const optionOf = <T>(what: string, test: (value: unknown) => boolean): v.GenericSchema<T> =>
  v.custom<T>(test, `must be ${what}`)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Whether the value has functions of these names. */
export const hasFunctions =
  (...names: string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.every((name) => typeof value[name] === 'function')
export const isListOf =
  (test: (value: unknown) => boolean, least = 0) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length >= least && value.every(test)

export const textOption = optionOf<string>('a text that is not empty', isText)
export const anyTextOption = optionOf<string>('a text', (value) => typeof value === 'string')
export const flagOption = optionOf<boolean>('true or false', (value) => typeof value === 'boolean')
export const functionOption = optionOf<never>('a function', (value) => typeof value === 'function')
export const clockOption = optionOf<never>('an object with now and after', hasFunctions('now', 'after'))
/** A word in the name of a header. */
export const headerWordOption = optionOf<string>(
  'one word of letters, digits and hyphens',
  (value) => typeof value === 'string' && /^[A-Za-z\d-]+$/.test(value),
)
/** An object with options of which some must be there. A missing one is read as null, so that its own words say what it must be. */
export const objectOf = (
  required: Record<string, v.GenericSchema>,
  optional: Record<string, v.GenericSchema> = {},
): v.GenericSchema =>
  v.looseObject(
    {
      ...Object.fromEntries(
        Object.entries(required).map(([name, schema]) => [name, v.optional(schema, null as never)]),
      ),
      ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, v.optional(schema)])),
    },
    'must be an object',
  )

/** The first wrong option, in a sentence that names it; undefined if there is none. `options`: what all of them are called. */
export function optionProblem(
  schema: v.GenericSchema,
  given: unknown,
  options: string,
): { option: string; text: string } | undefined {
  const checked = v.safeParse(schema, given)
  if (checked.success) return undefined
  const [issue] = checked.issues
  const option = pathOf(issue.path)
  return { option, text: `${option || options} ${issue.message}` }
}

/** Such as `connectors[0].token`. */
const pathOf = (path: readonly { key: unknown }[] = []): string =>
  path
    .map(({ key }, index) =>
      typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key).slice(0, 80)}`,
    )
    .join('')
