// A file of the document's tests ends after its last frame: Preact runs effects in the next one, and would find no document.

import { afterAll } from 'vitest'

/** A file may ask for no document. */
const nextFrame = 'requestAnimationFrame' in globalThis ? requestAnimationFrame : undefined
const later = setTimeout

afterAll(async () => {
  if (!nextFrame) return
  await new Promise((resolve) => nextFrame(resolve))
  await new Promise((resolve) => later(resolve))
})
