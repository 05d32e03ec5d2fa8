// `npm run pictures`: takes the pictures of docs/pictures from the gallery and films a chat, after `npm run build`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { film } from './moving-picture.mjs'
import { ensureChromium } from './programs.mjs'
import { root } from './setup.mjs'

/** @typedef {{ state: string, theme?: 'light' | 'dark', locale?: string, size?: 'panel' | 'phone' | 'wide' }} Picture */
/** @type {readonly Picture[]} */
const PICTURES = [
  { state: 'welcome' },
  { state: 'welcome', theme: 'dark' },
  { state: 'welcome', size: 'phone' },
  { state: 'streaming' },
  { state: 'markdown', theme: 'dark' },
  { state: 'table' },
  { state: 'code', theme: 'dark' },
  { state: 'carousel' },
  { state: 'handoff-waiting' },
  { state: 'handoff-taken', theme: 'dark' },
  { state: 'unsent' },
  { state: 'offline', theme: 'dark' },
  { state: 'rating' },
  { state: 'menu', locale: 'de' },
  { state: 'search' },
  { state: 'mixed', locale: 'ar' },
  { state: 'consent', locale: 'fr' },
  { state: 'home' },
  { state: 'form', theme: 'dark' },
  { state: 'away', locale: 'ja' },
  { state: 'launcher-preview' },
]
const SIZES = { panel: [448, 728], phone: [390, 844], wide: [1280, 800] }
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
})

const folder = join(root, 'docs/pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://localhost').pathname
  readFile(join(root, 'dist/demo', path)).then(
    (body) => response.setHeader('content-type', TYPES[extname(path)] ?? '').end(body),
    () => response.writeHead(404).end(),
  )
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
const context = await browser.newContext({
  deviceScaleFactor: 1.5,
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
})
const page = await context.newPage()
await page.goto(`http://127.0.0.1:${port}/gallery.html`)
await page.waitForFunction('window.gallery')
for (const picture of PICTURES) {
  const { state, theme, locale, size = 'panel' } = picture
  const [width = 0, height = 0] = SIZES[size]
  await page.setViewportSize({ width, height })
  await page.evaluate((asked) => /** @type {any} */ (window).gallery.show(asked), picture)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const webp = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })
    return [...new Uint8Array(await blob.arrayBuffer())]
  }, png.toString('base64'))
  const name = [state, theme, locale, size === 'panel' ? undefined : size].filter(Boolean).join('-')
  writeFileSync(join(folder, `${name}.webp`), new Uint8Array(webp))
  console.log(`pictures: ${name}.webp, ${webp.length} bytes`)
}
await film(browser, join(folder, 'tour.webp'))
await browser.close()
server.close()
