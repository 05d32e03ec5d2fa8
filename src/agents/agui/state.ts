// Keeps the state of a thread: replaces it by snapshots and changes it by JSON Patch (RFC 6902), with linear work.

import { AguiError } from './agui-error.ts'

/** Characters of a state that the conversation keeps. */
const MOST_STATE = 64_000
const DEEPEST = 100
const MOST_OPERATIONS = 10_000
/** Values and characters that the operations of a run may touch. */
const MOST_WORK = 4_000_000

export interface ThreadState {
  snapshot(value: unknown): void
  patch(operations: unknown): void
  /** The new state; undefined if the run changed nothing. Throws if it is too large. */
  changed(): { state: unknown } | undefined
}

type Operation = { op?: unknown; path?: unknown; from?: unknown; value?: unknown }

/** `before`: the state that the run began with, which stays as it is. */
export function createThreadState(before: unknown): ThreadState {
  /** The state stands in an object, so that the whole has a place too. */
  const holder: Record<string, unknown> = { state: before }
  let isOwn = false
  let isChanged = false
  let operations = 0
  let work = 0

  function spend(amount: number): void {
    work += amount
    if (work > MOST_WORK) throw new AguiError('excess', 'its state takes too much work')
  }

  /** A copy that shares nothing. `depth`: of the place where it will stand. */
  function copyOf(value: unknown, depth = 0): unknown {
    if (depth > DEEPEST) throw new AguiError('excess', 'its state is nested too deeply')
    spend(typeof value === 'string' ? value.length + 1 : 1)
    if (Array.isArray(value)) return value.map((each) => copyOf(each, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        spend(name.length)
        return [name, copyOf(each, depth + 1)]
      }),
    )
  }

  function isSame(one: unknown, other: unknown): boolean {
    spend(typeof one === 'string' ? one.length + 1 : 1)
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
      return one === other
    if (Array.isArray(one) !== Array.isArray(other)) return false
    const names = Object.keys(one)
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && isSame(valueAt(one, name), valueAt(other, name)))
    )
  }

  /** The object or array that a pointer ends in, and the last name. */
  function placeOf(pointer: unknown): { parent: object; name: string } {
    const names = namesOf(pointer)
    spend(names.length)
    const name = names.pop() as string
    let parent: unknown = holder
    for (const each of names) parent = existing(parent, each)
    if (typeof parent !== 'object' || parent === null) throw misfit()
    return { parent, name }
  }

  function read(pointer: unknown): unknown {
    const { parent, name } = placeOf(pointer)
    return existing(parent, name)
  }

  function add(pointer: unknown, value: unknown): void {
    const { parent, name } = placeOf(pointer)
    if (!Array.isArray(parent)) (parent as Record<string, unknown>)[name] = value
    else {
      const index = name === '-' ? parent.length : indexOf(name, parent.length)
      spend(parent.length - index)
      parent.splice(index, 0, value)
    }
  }

  function remove(pointer: unknown): void {
    const { parent, name } = placeOf(pointer)
    existing(parent, name)
    if (parent === holder) holder.state = null
    else if (!Array.isArray(parent)) delete (parent as Record<string, unknown>)[name]
    else {
      spend(parent.length - Number(name))
      parent.splice(Number(name), 1)
    }
  }

  function apply({ op, path, from, value }: Operation): void {
    if (op === 'test') {
      if (!isSame(read(path), value)) throw misfit()
    } else if (op === 'remove') remove(path)
    else if (op === 'add' && value !== undefined) add(path, copyOf(value, depthOf(path)))
    else if (op === 'replace' && value !== undefined) {
      const { parent, name } = placeOf(path)
      existing(parent, name)
      ;(parent as Record<string, unknown>)[name] = copyOf(value, depthOf(path))
    } else if (op === 'copy') add(path, copyOf(read(from), depthOf(path)))
    else if (op === 'move') {
      const moved = copyOf(read(from), depthOf(path))
      // A value cannot become a part of itself.
      if (String(path).startsWith(`${from}/`)) throw misfit()
      remove(from)
      add(path, moved)
    } else throw misfit()
  }

  return {
    snapshot(value) {
      if (value === undefined) throw new AguiError('malformed', 'a snapshot of its state has no state')
      holder.state = copyOf(value)
      isOwn = isChanged = true
    },
    patch(given) {
      if (!Array.isArray(given)) throw misfit()
      if (!isOwn) holder.state = copyOf(before)
      isOwn = true
      for (const operation of given) {
        if (++operations > MOST_OPERATIONS) throw new AguiError('excess', 'its state changes too often')
        if (typeof operation !== 'object' || operation === null) throw misfit()
        apply(operation)
        isChanged = true
      }
    },
    changed() {
      if (!isChanged) return undefined
      if (JSON.stringify(holder.state).length > MOST_STATE)
        throw new AguiError('excess', 'its state is too large')
      return { state: holder.state }
    },
  }
}

const misfit = () => new AguiError('malformed', 'a change of its state does not fit')

/** The names of a JSON Pointer (RFC 6901) from the holder on. `__proto__` would change what an object is. */
function namesOf(pointer: unknown): string[] {
  if (
    typeof pointer !== 'string' ||
    (pointer !== '' && !pointer.startsWith('/')) ||
    /~(?![01])/.test(pointer)
  )
    throw misfit()
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (names.includes('__proto__')) throw misfit()
  return ['state', ...names]
}

/** How deep in the state the place of a pointer is. */
const depthOf = (pointer: unknown): number => String(pointer).split('/').length - 1

function indexOf(name: string, most: number): number {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name) || Number(name) > most) throw misfit()
  return Number(name)
}

function existing(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null) throw misfit()
  if (Array.isArray(parent)) indexOf(name, parent.length - 1)
  else if (!Object.hasOwn(parent, name)) throw misfit()
  return valueAt(parent, name)
}

const valueAt = (parent: object, name: string): unknown => (parent as Record<string, unknown>)[name]
