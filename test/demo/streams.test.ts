// @vitest-environment node
// A stream to a page of the demo holds a bounded number of events that the page has not read.

import { expect, it } from 'vitest'
import { createStreams } from '../../demo/server/streams.ts'

type Send = (event: string, data?: object) => void

function opened() {
  const page = { send: (() => {}) as Send, undone: 0 }
  const streams = createStreams()
  const { body } = streams.events((send) => {
    page.send = send
    return () => page.undone++
  })
  if (!body) throw new Error('the stream has no body')
  return { page, streams, reader: body.getReader() }
}

it('a stream ends for a page that does not read, and lets go of what it follows, once', async () => {
  const { page, streams, reader } = opened()
  for (let n = 0; n < 5_000; n++) page.send('line', { n })
  expect(page.undone).toBe(1)
  let read = 0
  while (!(await reader.read()).done) read++
  expect(read).toBeLessThan(1_100)
  expect(read).toBeGreaterThan(900)
  streams.close()
  expect(page.undone).toBe(1)
})

it('a stream stays for a page that reads, however much it is sent', async () => {
  const { page, streams, reader } = opened()
  await reader.read()
  for (let n = 0; n < 5_000; n++) {
    page.send('line', { n })
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`event: line\ndata: {"n":${n}}\n\n`)
  }
  expect(page.undone).toBe(0)
  streams.close()
  expect((await reader.read()).done).toBe(true)
  expect(page.undone).toBe(1)
})
