// Draws the form before a chat. Its values become the visitor's first message, one line for each field: every service accepts
// that, and the visitor sees what is sent.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FormField } from '../context/prechat-settings.ts'
import type { Words } from '../locales/en.ts'

type Props = {
  fields: readonly FormField[]
  /** As `filledIn` says it. */
  filled: string | undefined
  say: Words
  onDone(text: string): void
}

export function PrechatForm({ fields, filled, say, onDone }: Props) {
  const [troubles, setTroubles] = useState<readonly (string | undefined)[]>([])
  const form = useRef<HTMLFormElement>(null)
  const controls = () =>
    form.current ? controlsOf(form.current).map((control) => ({ control, value: valueIn(control) })) : []
  useLayoutEffect(() => {
    if (form.current && filled) fillIn(form.current, fields, filled)
  }, [])

  function submit(event: Event): void {
    event.preventDefault()
    const given = controls()
    const found = fields.map((field, index) => troubleOf(field, given[index]?.value, say))
    setTroubles(found)
    const wrong = found.findIndex(Boolean)
    if (wrong !== -1) return given[wrong]?.control.focus()
    const lines = fields.flatMap(({ label }, index) => {
      const value = given[index]?.value
      const text = typeof value === 'boolean' ? (value ? say.yes : say.no) : value
      return text ? [`${label}: ${text}`] : []
    })
    onDone(lines.join('\n'))
  }
  return (
    <form ref={form} class="prechat-form" noValidate onSubmit={submit}>
      <h3 tabIndex={-1}>{say.formTitle}</h3>
      {fields.map((field, index) => {
        const trouble = troubles[index]
        const id = `foyer-field-${index}`
        const shared = {
          id,
          required: field.required,
          // Without a word of ours, some screen readers call a required field invalid before anything is written.
          'aria-invalid': trouble !== undefined,
          'aria-describedby': trouble ? `${id}-trouble` : undefined,
        }
        return (
          <div class={field.type === 'checkbox' ? 'field tick' : 'field'} key={id}>
            <label for={id} dir="auto">
              {field.label}
              {!field.required && field.type !== 'checkbox' && <small> ({say.optional})</small>}
            </label>
            <FieldControl field={field} shared={shared} choose={say.choose} />
            {trouble && (
              <p class="field-trouble" id={`${id}-trouble`} role="alert">
                {trouble}
              </p>
            )}
          </div>
        )
      })}
      <div class="prechat-actions">
        <button type="submit" class="primary">
          {say.formStart}
        </button>
      </div>
    </form>
  )
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const controlsOf = (root: Element) => [...root.querySelectorAll<Control>('input, select, textarea')]
const isTick = (control: Control): control is HTMLInputElement => control.type === 'checkbox'
const valueIn = (control: Control): string | boolean =>
  isTick(control) ? control.checked : control.value.trim()

/** What stands in the fields below an element, each with its label; empty where that is nothing. */
export function filledIn(root: Element, fields: readonly FormField[]): string {
  const values = controlsOf(root).map(valueIn)
  return values.some(Boolean) ? JSON.stringify(fields.map(({ label }, index) => [label, values[index]])) : ''
}

/** Fills in what `filledIn` said of fields of the same names. Anybody may have stored the text. */
function fillIn(root: Element, fields: readonly FormField[], text: string): void {
  const all = parse(text)
  if (!Array.isArray(all)) return
  for (const [index, control] of controlsOf(root).entries()) {
    const [label, value]: unknown[] = Array.isArray(all[index]) ? all[index] : []
    if (label !== fields[index]?.label) continue
    if (isTick(control)) control.checked = value === true
    // A choice that the list does not have leaves nothing chosen.
    else if (typeof value === 'string') control.value = value
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function FieldControl({ field, shared, choose }: { field: FormField; shared: object; choose: string }) {
  const { type = 'text', options = [], maxLength, autocomplete } = field
  if (type === 'select')
    return (
      <select {...shared} autocomplete={autocomplete}>
        <option value="">{choose}</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  if (type === 'textarea')
    return <textarea {...shared} rows={3} maxLength={maxLength} dir="auto" autocomplete={autocomplete} />
  if (type === 'checkbox') return <input {...shared} type="checkbox" />
  const props: object = {
    ...shared,
    type,
    maxLength,
    dir: type === 'text' ? 'auto' : 'ltr',
    autocomplete: autocomplete ?? (type === 'text' ? undefined : type),
  }
  return <input {...props} />
}

function troubleOf(field: FormField, value: string | boolean | undefined, say: Words): string | undefined {
  if (!value) return field.required ? say.missing : undefined
  if (typeof value === 'boolean') return undefined
  if (field.type === 'email' && !/^[^\s@]{1,64}@[^\s@]{1,250}$/.test(value)) return say.badEmail
  if (field.type === 'email' && !value.slice(value.indexOf('@')).includes('.')) return say.badEmail
  if (field.type === 'tel' && !/^\+?[\d\s().-]{5,24}$/.test(value)) return say.badPhone
  if (field.type === 'select' && !field.options?.includes(value)) return say.missing
  return undefined
}
