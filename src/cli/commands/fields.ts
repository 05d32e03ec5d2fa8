// Defines the arguments that several commands share, with their error texts.

import * as v from 'valibot'
import { compactNumber, E164, ENVIRONMENTS } from '../../api/index.ts'

export const text = (form: RegExp, is: string) => v.pipe(v.string(is), v.regex(form, is))
export const oneOf = <const T extends readonly string[]>(names: T) =>
  v.picklist(names, `one of ${names.join(', ')}`)
export const id = (is: string) => text(/^[\w.:-]{1,100}$/, is)
export const slug = (of: string) =>
  text(/^[a-z0-9][a-z0-9-]{0,62}$/, `a short name for ${of}: lowercase letters, digits and hyphens`)

export const whole = (most: number) =>
  v.pipe(
    text(/^\d{1,9}$/, `a number from 1 to ${most}`),
    v.transform(Number),
    v.minValue(1, `a number from 1 to ${most}`),
    v.maxValue(most, `a number from 1 to ${most}`),
  )

export const ACCOUNT = id('the ID of an account such as ws-shop0001')
export const PROJECT = id('the ID of a project such as PROJECT-shop0001')
export const CONNECTOR = id('the ID of a connector such as CON-shop0001')
export const NUMBER = v.pipe(
  v.string(),
  v.transform(compactNumber),
  v.regex(E164, 'a phone number with its country code, such as +15005550010'),
)

/** `description`: what happens in that environment. */
export const environment = (description: string) => ({
  schema: oneOf(ENVIRONMENTS),
  value: ENVIRONMENTS.join('|'),
  description,
})
