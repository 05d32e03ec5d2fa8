// Answers the phone's page: shows the screen of a simulated phone, and sends the messages of its owner.

import * as v from 'valibot'
import { E164 } from '../../src/api/index.ts'
import type { SimulatedCarrier } from '../../src/carriers/index.ts'
import { type DemoEndpoint, isText } from './endpoint.ts'

const text = (most: number) => v.pipe(v.string(), v.maxLength(most), isText)

const Written = v.pipe(
  v.strictObject({
    text: v.optional(text(1_600)),
    media: v.optional(
      v.pipe(
        v.array(v.strictObject({ content_type: text(80), url: v.pipe(text(2_000), v.url()) })),
        v.minLength(1),
        v.maxLength(10),
      ),
    ),
    location: v.optional(
      v.strictObject({ latitude: text(20), longitude: text(20), address: text(200), label: text(80) }),
    ),
    button: v.optional(v.strictObject({ payload: text(2_000), text: text(200), type: text(40) })),
  }),
  v.check(
    ({ text, ...others }) => Boolean(text?.trim()) || Object.values(others).some((each) => each),
    'must say something',
  ),
)

/** `to` is the number of the demo, which phones write to. */
export function phoneEndpoint(carrier: SimulatedCarrier, to: string): DemoEndpoint {
  return async ({ method, path, body, events }) => {
    const [number, name, ...more] = path
    if (!number || !E164.test(number) || more.length > 0) return undefined
    if (method === 'POST') {
      if (name !== 'write') return undefined
      await carrier.write(number, to, await body(Written))
      return new Response(null, { status: 204 })
    }
    if (name === undefined)
      return Response.json({ device: carrier.deviceOf(number), messages: carrier.screen(number) })
    if (name !== 'events') return undefined
    return events((send) =>
      carrier.watch((changed) => {
        if (changed === number) send('screen')
      }),
    )
  }
}
