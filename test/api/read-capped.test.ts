// Bodies that come in pieces, as they do over a network.

import { expect, it } from 'vitest'
import { readCapped } from '../../src/api/index.ts'

/** The body in pieces of so many bytes, and whether the rest of it was left. */
function body(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let isLeft = false
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
    cancel() {
      isLeft = true
    },
  })
  return { response: new Response(stream), isLeft: () => isLeft }
}

it.each([1, 2, 3, 100])('a body in pieces of %i bytes is read whole, up to its limit', async (size) => {
  const text = 'é€😀é€😀'
  const bytes = new TextEncoder().encode(text).length
  expect(await readCapped(body(text, size).response, bytes)).toBe(text)
  expect(await readCapped(body(text, size).response, bytes - 1)).toBeUndefined()
  // What lies far behind the limit is not fetched.
  const long = body(text.repeat(100), size)
  expect(await readCapped(long.response, bytes)).toBeUndefined()
  expect(long.isLeft()).toBe(true)
})

it('a body whose last letter is cut ends with a sign for it', async () => {
  const response = new Response(new TextEncoder().encode('a€').slice(0, 3))
  expect(await readCapped(response, 100)).toBe('a\ufffd')
})
