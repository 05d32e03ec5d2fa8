// Draws a line for each suite that runs: its name, how far it is, and its seconds. On a terminal the lines stand below all other output and
// are drawn anew each second. Elsewhere each suite's line is printed every half a minute.

import { clearScreenDown, moveCursor } from 'node:readline'

const SAID_EACH_S = 30

/** @type {Map<string, { far: string, begun: number, said: number }>} */
const running = new Map()
let drawn = 0
/** @type {NodeJS.Timeout | undefined} */
let timer

/** @param {string} name */
export function begins(name) {
  running.set(name, { far: 'begins', begun: performance.now(), said: 0 })
  timer ??= setInterval(draw, 1_000)
  draw()
}

/** `far`: how far it is, in words. @param {string} name @param {string} far */
export function gets(name, far) {
  const line = running.get(name)
  if (line) line.far = far
}

/** Takes its line away. Returns the seconds since it began. @param {string} name */
export function ends(name) {
  const seconds = secondsOf(name)
  erase()
  running.delete(name)
  if (running.size > 0) draw()
  else {
    clearInterval(timer)
    timer = undefined
  }
  return seconds
}

/** Prints above the lines of what runs. @param {string} text With its line end. */
export function print(text) {
  erase()
  process.stdout.write(text)
  draw()
}

/** @param {string} name */
const secondsOf = (name) => Math.round((performance.now() - (running.get(name)?.begun ?? 0)) / 1_000)

function erase() {
  if (drawn === 0) return
  moveCursor(process.stdout, -process.stdout.columns, -drawn)
  clearScreenDown(process.stdout)
  drawn = 0
}

function draw() {
  if (process.stdout.isTTY) {
    erase()
    for (const [name, { far }] of running) {
      process.stdout.write(
        `${`${name}: ${far}, ${secondsOf(name)} s`.slice(0, process.stdout.columns - 1)}\n`,
      )
      drawn++
    }
    return
  }
  for (const [name, line] of running) {
    const due = Math.floor(secondsOf(name) / SAID_EACH_S)
    if (due <= line.said) continue
    line.said = due
    process.stdout.write(`  ${name}: ${line.far}, ${secondsOf(name)} s\n`)
  }
}
