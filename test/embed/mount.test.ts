// An effect that mounts, in a development build of React, which mounts, unmounts and mounts again.

import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { mount } from '../../src/embed/index.ts'

beforeAll(() => {
  const matchMedia = () => ({ matches: false, onchange: null })
  Object.assign(globalThis, { matchMedia, CSS: { supports: () => true } })
})

const hosts = () => document.querySelectorAll('foyer-host')
let ran: string[] = []

function Chat() {
  useEffect(() => {
    ran.push('mount')
    const { destroy } = mount({ origin: 'https://chat.example.com' })
    return () => {
      ran.push('destroy')
      destroy()
    }
  }, [])
  return null
}
const app = () => createElement(StrictMode, null, createElement(Chat))
const settled = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => {
  ran = []
  document.body.replaceChildren()
})

it('a component in StrictMode has one launcher, however often it comes and goes', async () => {
  const events: string[] = []
  const listen = (event: Event) => events.push(event.type)
  document.addEventListener('foyer-ready', listen)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  for (let round = 0; round < 3; round++) {
    root.render(app())
    await expect.poll(() => hosts().length).toBe(1)
    await settled()
    expect(ran.slice(-3)).toEqual(['mount', 'destroy', 'mount'])
    expect(hosts()).toHaveLength(1)
    root.render(null)
    await expect.poll(() => hosts().length).toBe(0)
  }
  // Each round had one that lived.
  expect(events).toHaveLength(3)
  document.removeEventListener('foyer-ready', listen)
  root.unmount()
})
