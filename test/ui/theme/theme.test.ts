// The panel's styles stand behind those of the page, and those of its parts behind them.

import { beforeEach, expect, it, vi } from 'vitest'
import { adoptStyles } from '../../../src/ui/theme/theme.ts'

class Sheet {
  text = ''
  replaceSync(text: string) {
    this.text = text
  }
}
const root = { adoptedStyleSheets: [] as Sheet[] }
const adopt = adoptStyles as unknown as (to: typeof root, text?: string) => void
const texts = () => root.adoptedStyleSheets.map(({ text }) => text)

beforeEach(() => {
  vi.stubGlobal('CSSStyleSheet', Sheet)
})

it('a root adopts each sheet once, in the order in which they come, and keeps the sheets of others', () => {
  const page = new Sheet()
  root.adoptedStyleSheets = [page]
  adopt(root)
  adopt(root, 'markdown')
  adopt(root)
  adopt(root, 'extras')
  adopt(root, 'markdown')
  expect(root.adoptedStyleSheets[0]).toBe(page)
  expect(texts().slice(2)).toEqual(['markdown', 'extras'])
})
