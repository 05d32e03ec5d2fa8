// Films a chat with the built server, and writes it as an animated WebP: each frame holds only what has changed since the one before.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from './setup.mjs'

const SIZE = { width: 800, height: 640 }
const QUESTION = 'Can I send a bicycle back?'
const FOLDER = 'test/answers/shop'
/** How often an answer is looked at while it comes, and how long the picture stands at its end. */
const LOOK_MS = 120
const END_MS = 4000

/** @typedef {{ x: number, y: number, width: number, height: number, data: Buffer, ms: number }} Frame */

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 */
export async function film(browser, file) {
  const { origin, stop } = await serve()
  try {
    const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.5, timezoneId: 'UTC' })
    const page = await context.newPage()
    const encoder = await context.newPage()
    /** @type {Frame[]} */
    const frames = []
    /** Adds what is on the screen, to be seen for so long. @param {number} ms */
    const take = async (ms) => {
      const png = await page.screenshot({ caret: 'initial' })
      const part = await encoder.evaluate(changedPart, png.toString('base64'))
      const last = frames.at(-1)
      if (part) frames.push({ ...part, data: Buffer.from(part.data, 'base64'), ms })
      else if (last) last.ms += ms
    }
    await page.goto(`${origin}/embed.html`)
    const launcher = page.getByRole('button', { name: 'Open chat' })
    await launcher.waitFor()
    await take(1500)
    await launcher.click()
    const panel = page.frameLocator('iframe')
    const field = panel.getByRole('textbox', { name: 'Message' })
    const log = panel.getByRole('log', { name: 'Conversation' })
    await log.getByText('Hello').first().waitFor()
    await take(1500)
    for (const sign of QUESTION) {
      await field.pressSequentially(sign)
      await take(70)
    }
    await take(500)
    await field.press('Enter')
    const isOver = () => log.getByRole('button', { name: 'Copy' }).count()
    for (let looks = 0; looks < 200 && (await isOver()) === 0; looks++) {
      await take(LOOK_MS)
      await page.waitForTimeout(LOOK_MS)
    }
    await page.waitForTimeout(800)
    await take(END_MS)
    const bytes = animated(frames)
    writeFileSync(file, bytes)
    console.log(`pictures: ${file}, ${frames.length} frames, ${bytes.length} bytes`)
    await context.close()
  } finally {
    stop()
  }
}

async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** The built server, which answers from a shop's help pages. */
async function serve() {
  const child = spawn(process.execPath, [join(root, 'dist/foyer-server/cli.js'), join(root, FOLDER)], {
    env: { ...process.env, PORT: String(await freePort()), FOYER_DEMO: '1', FOYER_DATA: 'memory' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const origin = await new Promise((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
      const [found] = /http:\/\/localhost:\d+/.exec(said) ?? []
      if (found) resolve(found)
    })
    child.on('exit', () => reject(new Error(`The server has ended:\n${said}`)))
  })
  return { origin: String(origin), stop: () => child.kill() }
}

/**
 * Runs in a page: the part of the screen that differs from the last one, as WebP. Undefined where nothing does.
 * @param {string} png
 */
async function changedPart(png) {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const ground = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'))
  ground.drawImage(bitmap, 0, 0)
  const now = new Uint32Array(ground.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer)
  const kept = /** @type {{ last?: Uint32Array }} */ (globalThis)
  const last = kept.last
  kept.last = now
  let [left, top, right, bottom] = last
    ? [bitmap.width, bitmap.height, 0, 0]
    : [0, 0, bitmap.width, bitmap.height]
  if (last)
    for (let at = 0; at < now.length; at++)
      if (now[at] !== last[at]) {
        const [x, y] = [at % bitmap.width, Math.floor(at / bitmap.width)]
        left = Math.min(left, x)
        right = Math.max(right, x + 1)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y + 1)
      }
  if (right <= left) return undefined
  // The format counts places in steps of two.
  const [x, y] = [left - (left % 2), top - (top % 2)]
  const [width, height] = [right - x, bottom - y]
  const cut = new OffscreenCanvas(width, height)
  cut.getContext('2d')?.drawImage(bitmap, -x, -y)
  const blob = await cut.convertToBlob({ type: 'image/webp', quality: 0.85 })
  let data = ''
  for (const byte of new Uint8Array(await blob.arrayBuffer())) data += String.fromCharCode(byte)
  return { x, y, width, height, data: btoa(data) }
}

/** An animated WebP, as its container specification has it: developers.google.com/speed/webp/docs/riff_container. @param {readonly Frame[]} frames */
function animated(frames) {
  const [first] = frames
  if (!first) throw new Error('There is no frame')
  const size = Buffer.concat([three(first.width - 1), three(first.height - 1)])
  // With animation, twice, before white.
  const head = chunk('VP8X', Buffer.concat([Buffer.from([0x02, 0, 0, 0]), size]))
  const loop = chunk('ANIM', Buffer.from([255, 255, 255, 255, 2, 0]))
  const parts = frames.map(({ x, y, width, height, data, ms }) => {
    const numbers = [x / 2, y / 2, width - 1, height - 1, ms].map(three)
    // Drawn over the last frame, which stays.
    return chunk('ANMF', Buffer.concat([...numbers, Buffer.from([0x02]), pixelsOf(data)]))
  })
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), head, loop, ...parts]))
}

/** The chunk with the pixels, without the colour profile that browsers write before it. @param {Buffer} webp */
function pixelsOf(webp) {
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end)
    at = end
  }
  throw new Error('The browser wrote no pixels')
}

/** @param {number} value */
const three = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255])

/** @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)])
}
