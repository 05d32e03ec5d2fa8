// @vitest-environment node
// The element's module where there is no document.

import { expect, it } from 'vitest'

it('does nothing on a server', async () => {
  expect('customElements' in globalThis).toBe(false)
  expect(Object.keys(await import('../../src/embed/element/index.ts'))).toEqual([])
})
