// The windows of the demo: the chat, the desk and the phone of one server, in one Chromium. Each test finds the desk empty.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { atRest, freePort, leave, panelOf, type Server, startBrowser, startServer, visit } from './world.ts'

export type Place = Page | FrameLocator

export const button = (place: Place, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true })
export const talk = (place: Place) => place.getByRole('log', { name: 'Conversation' })
export const screen = (page: Page) => page.getByRole('log', { name: 'Messages' })

export async function say(place: Place, field: 'Message' | 'Reply', text: string): Promise<void> {
  await place.getByRole('textbox', { name: field }).fill(text)
  await button(place, 'Send').click()
}

export const refused = (lines: readonly string[]) =>
  lines.filter((line) => /Content.Security|Trusted|Refused/i.test(line))

/** What axe finds wrong with the page as it stands. */
export async function objections(page: Page): Promise<string[]> {
  await atRest(page)
  // A page that was not loaded anew still has axe.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const runner = (window as unknown as { axe: typeof axe }).axe
    const { violations } = await runner.run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
    )
  })
}

/** `documents`: the folders that the assistant reads; Foyer's own docs, with the tour, where none are given. */
export function useDemo(documents: readonly string[] = []) {
  let server: Server
  let browser: Browser
  let closeBrowser: () => Promise<void>
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foyer-demo-'))
    server = await startServer(await freePort(), folder, {}, documents)
    ;({ browser, close: closeBrowser } = await startBrowser())
  })
  afterEach(async () => {
    await leave()
    await emptyDesk()
  })
  afterAll(async () => {
    await closeBrowser?.()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Ends every conversation that waits for a person or talks to one, whoever failed to. */
  const emptyDesk = () =>
    expect
      .poll(async () => {
        const entries = (await (await fetch(`${server.origin}/demo/desk`)).json()) as { id: string }[]
        for (const { id } of entries)
          await fetch(`${server.origin}/demo/sessions/${id}/expire`, {
            method: 'POST',
            headers: { origin: server.origin },
          })
        return entries.length
      })
      .toBe(0)

  return {
    origin: () => server.origin,
    visit: (options?: Parameters<typeof visit>[1]) => visit(browser, options),
    /** A visitor who opened the chat and was greeted. */
    async openChat() {
      const { context, page, traces } = await visit(browser)
      await page.goto(`${server.origin}/embed.html`)
      await button(page, 'Open chat').click()
      const panel = panelOf(page, 'frame')
      await talk(panel)
        .getByText(/start with one of these/)
        .waitFor()
      return { context, page, panel, traces }
    },
    /** Somebody who came to the desk. */
    async openDesk(name: string) {
      const { context, page, traces } = await visit(browser)
      await page.goto(`${server.origin}/desk.html`)
      await page.getByRole('textbox', { name: 'Your name' }).fill(name)
      await button(page, 'Go to the desk').click()
      await page.getByRole('heading', { name: 'Waiting', exact: true }).waitFor()
      return { context, page, traces }
    },
    async openPhone(number: string, options?: Parameters<typeof visit>[1]) {
      const { context, page, traces } = await visit(browser, options)
      await page.goto(`${server.origin}/phone.html?${new URLSearchParams({ number })}`)
      await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
      return { context, page, traces }
    },
  }
}
