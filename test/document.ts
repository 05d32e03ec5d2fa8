// What jsdom lacks, for each file of the document's tests, which ends after its last frame: Preact runs effects in the next one, and would
// find no document. What is drawn has no size and no style, so nothing is ever told of one.

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
if ('HTMLElement' in globalThis) {
  HTMLElement.prototype.scrollIntoView = () => {}
  CSSStyleSheet.prototype.replaceSync = () => {}
}

afterAll(async () => {
  if (!nextFrame) return
  await new Promise((resolve) => nextFrame(resolve))
  await new Promise((resolve) => later(resolve))
})
