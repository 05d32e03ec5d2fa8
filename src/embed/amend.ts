// Gives a chat the options that have changed, where a component has them, and says when only a new chat can take them.

import type { MountOptions } from './mount.ts'
import { attempt } from './options.ts'
import type { Handle } from './page/host/host.ts'

/** They are of no use to a chat that has begun. */
type AtBeginning = 'autoOpen' | 'prepare' | 'teaser' | 'teaserWhen' | 'compat'
type Changes = Parameters<Handle['update']>[0]

/** The options that only a new chat takes. An option of `mount` that `update` lacks is one of them, or at the beginning. */
const ANEW = {
  origin: true,
  connector: true,
  isolation: true,
  layout: true,
  target: true,
  platform: true,
  position: true,
  streaming: true,
  tools: true,
  render: true,
} satisfies Record<Exclude<keyof MountOptions, keyof Changes | AtBeginning | 'consent'>, true>

type Given = { readonly [Name in keyof MountOptions]?: MountOptions[Name] | undefined }

/** Tells the chat what changed. False if only a new one can take it; then this one was told nothing. */
export function amend(chat: Handle, before: Given, after: Given): boolean {
  const names = Object.keys({ ...before, ...after }) as (keyof Given)[]
  const changed = names.filter((name) => !isSame(before[name], after[name]))
  if (changed.some((name) => name in ANEW)) return false
  const taken = changed.filter((name) => name !== 'consent')
  if (taken[0]) chat.update(Object.fromEntries(taken.map((name) => [name, after[name]])))
  // A page that requires consent again has none. The choice of a visitor stays as long as the page says the same.
  if (after.consent && !isSame(before.consent, after.consent)) chat.consent(after.consent === 'given')
  return true
}

/** Whether they say the same, as objects do that are written inline. Functions are equal: a component calls the newest. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || saidBy(one) === saidBy(other)
const saidBy = (value: unknown): string | undefined =>
  attempt(() => JSON.stringify(value, (_, part) => (typeof part === 'function' ? 'function' : part)))
