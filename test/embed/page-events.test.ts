// What the types say of events, checked by the compiler: a line that must not compile fails the check where it does.

import { expectTypeOf, it } from 'vitest'
import type { Handle, Listener, PageEvents, PageEventType } from '../../src/embed/index.ts'

it('a handle takes the events that there are, each with its own fields', () => {
  // Never run: it is the compiler that reads it.
  const check = (handle: Handle) => {
    // @ts-expect-error There is no such event.
    handle.on('mesage', () => {})
    // @ts-expect-error Its field is another one.
    handle.on('message', ({ count }) => count)
    // @ts-expect-error Text is told only where the BFF exposes it.
    handle.on('message', ({ text }) => text.length)
    handle.on('message', ({ role, length, text }) => [role, length, text])
    handle.on('handoff', ({ state, position, queueName }) => [state, position, queueName])
    for (const type of ['open', 'close', 'end'] as const) handle.on(type, ({ time }) => time)
  }
  expectTypeOf(check).parameters.toEqualTypeOf<[Handle]>()
  expectTypeOf<PageEventType>().toEqualTypeOf<
    | ('ready' | 'open' | 'close' | 'before-open' | 'destroy' | 'wire')
    | ('session' | 'connection' | 'message' | 'delivery' | 'unread' | 'handoff' | 'suggestion')
    | (
        | 'language'
        | 'csat'
        | 'feedback'
        | 'decision'
        | 'end'
        | 'error'
        | 'consent'
        | 'before-send'
        | 'before-receive'
      )
  >()
  expectTypeOf<PageEvents['unread']['count']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<ReturnType<Handle['on']>>().toEqualTypeOf<() => void>()
  expectTypeOf<Parameters<Listener<'open'>>[0]['id']>().toEqualTypeOf<string>()
})
