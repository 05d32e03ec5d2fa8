// @vitest-environment node
// The component where there is no document.

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FoyerChat, useFoyer } from '../../src/embed/react/index.ts'

const Unread = () => createElement('b', null, useFoyer().state.unread)

it('a server draws no chat, the element of one that is embedded, and the state of none', () => {
  expect('document' in globalThis).toBe(false)
  expect(renderToString(createElement(FoyerChat, { origin: 'https://chat.example.com' }))).toBe('')
  expect(renderToString(createElement(FoyerChat, { layout: 'embedded', className: 'tall' }))).toMatch(
    /^<div id="[^"]+" class="tall"><\/div>$/,
  )
  expect(renderToString(createElement(Unread))).toBe('<b>0</b>')
})
