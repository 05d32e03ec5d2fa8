// A file of the document's tests ends after its last frame: Preact runs effects in the next one, and would find no document. What it
// draws has no size, so nothing is ever told of one.

import { afterAll } from 'vitest'

/** A file may ask for no document. */
const nextFrame = 'requestAnimationFrame' in globalThis ? requestAnimationFrame : undefined
const later = setTimeout

class Unsized {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
Object.assign(globalThis, { ResizeObserver: Unsized })
if ('HTMLElement' in globalThis) HTMLElement.prototype.scrollIntoView = () => {}

afterAll(async () => {
  if (!nextFrame) return
  await new Promise((resolve) => nextFrame(resolve))
  await new Promise((resolve) => later(resolve))
})
