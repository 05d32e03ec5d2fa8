// The order of the style sheets decides between rules of the same weight: it is the same in whatever order the parts come.

import { beforeEach, expect, it } from 'vitest'
import { adoptStyles } from '../../src/ui/theme.ts'

class Sheet {
  text = ''
  replaceSync(text: string) {
    this.text = text
  }
}
const root = { adoptedStyleSheets: [] as Sheet[] }
const adopt = adoptStyles as unknown as (to: typeof root, text?: string, first?: boolean) => void
const texts = () => root.adoptedStyleSheets.map(({ text }) => text)

beforeEach(() => {
  Object.assign(globalThis, { CSSStyleSheet: Sheet })
})

it('puts what comes first right behind the sheet of the panel, once, and keeps the sheets of others', () => {
  const page = new Sheet()
  root.adoptedStyleSheets = [page]
  adopt(root)
  adopt(root, 'answers')
  adopt(root, 'rest', true)
  adopt(root, 'menu')
  adopt(root, 'rest', true)
  adopt(root)
  expect(root.adoptedStyleSheets[0]).toBe(page)
  expect(texts().slice(2)).toEqual(['rest', 'answers', 'menu'])
})
