// A file of the document's tests ends after its last frame: Preact runs effects in the next one, and would find no document.

import { afterAll } from 'vitest'

const nextFrame = requestAnimationFrame
const later = setTimeout

afterAll(async () => {
  await new Promise((resolve) => nextFrame(resolve))
  await new Promise((resolve) => later(resolve))
})
