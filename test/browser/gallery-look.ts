// What a screen of the gallery looks like, in terms that another version of the browser leaves as they are: which elements there are,
// where the frame of the panel stands, and its colours on a coarse grid. And what is wrong with a screen by itself, with nothing to
// compare it to.

import type { Page } from 'playwright-core'

/** Kept in gallery.json for each screen. */
export type Look = {
  /** How many elements there are of each kind. */
  kinds: Record<string, number>
  /** `x y width height` of the parts that do not depend on words. */
  frame: Record<string, number[]>
  /** Three hexadecimal digits a cell, row by row: the cell's average colour. */
  colours: string
}

/** The colours in which each part of a theme is ever drawn: of its words, its ground and its edge. Kept in gallery.json for each theme. */
export type Paints = Record<string, string[]>

/** So many pixels may a part move. */
const SLACK: Readonly<Record<string, number>> = { dialog: 2, header: 12, textarea: 24, menu: 24 }
const COLUMNS = 8
const ROWS = 13

export const paintsOf = (page: Page): Promise<Paints> => page.evaluate(readPaints)

/** The colours that a theme did not have before. */
export function unknownPaints(known: Paints | undefined, seen: Paints): string[] {
  return Object.entries(seen).flatMap(([part, paints]) =>
    paints
      .filter((paint) => !known?.[part]?.some((each) => isNear(each, paint)))
      .map((paint) => `${part}: painted ${paint}, not ${known?.[part]?.join(' or ') ?? 'known'}`),
  )
}

/** Versions of the browser round mixed colours differently. */
const isNear = (a: string, b: string): boolean =>
  a.replace(/[0-9a-f]/g, '#') === b.replace(/[0-9a-f]/g, '#') &&
  [...a.matchAll(/[0-9a-f]{2}/g)].every(
    ({ 0: byte, index }) =>
      Math.abs(Number.parseInt(byte, 16) - Number.parseInt(b.slice(index, index + 2), 16)) <= 4,
  )

/** Both together, in an order that does not depend on which came first. */
export function withPaints(known: Paints | undefined, seen: Paints): Paints {
  const parts = [...new Set([...Object.keys(known ?? {}), ...Object.keys(seen)])].sort()
  return Object.fromEntries(
    parts.map((part) => [part, [...new Set([...(known?.[part] ?? []), ...(seen[part] ?? [])])].sort()]),
  )
}

export async function lookOf(page: Page): Promise<Look> {
  const { kinds, frame } = await page.evaluate(readElements)
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const colours = await page.evaluate(readColours, {
    data: picture.toString('base64'),
    columns: COLUMNS,
    rows: ROWS,
  })
  return { kinds, frame, colours }
}

/** What differs; empty where the two look the same. */
export function differences(before: Look | undefined, after: Look): string[] {
  if (!before) return ['there is no such screen in gallery.json']
  const found: string[] = []
  for (const kind of new Set([...Object.keys(before.kinds), ...Object.keys(after.kinds)]))
    if (before.kinds[kind] !== after.kinds[kind])
      found.push(`${kind}: ${after.kinds[kind] ?? 0}, not ${before.kinds[kind] ?? 0}`)
  for (const part of new Set([...Object.keys(before.frame), ...Object.keys(after.frame)])) {
    const [was, is] = [before.frame[part], after.frame[part]]
    if (!was || !is || is.some((value, index) => Math.abs(value - (was[index] ?? 0)) > (SLACK[part] ?? 8)))
      found.push(`${part}: at ${is}, not ${was}`)
  }
  const cells = COLUMNS * ROWS
  const others = Array.from({ length: cells }, (_, cell) => cell * 3).filter((at) =>
    [0, 1, 2].some(
      (part) => Math.abs(digit(before.colours, at + part) - digit(after.colours, at + part)) > 1,
    ),
  ).length
  if (others > cells / 8) found.push(`colours: ${others} of ${cells} cells differ`)
  return found
}

const digit = (text: string, at: number) => Number.parseInt(text[at] ?? '0', 16)

/** What is wrong with the screen, whatever it looked like before. */
export const faultsOf = (page: Page, least: number): Promise<string[]> => page.evaluate(readFaults, least)

// The functions below run in the page, so each is whole by itself.

function readElements() {
  const roots = [document.querySelector('#stage'), document.querySelector('foyer-host')?.shadowRoot]
  const kinds: Record<string, number> = {}
  const frame: Record<string, number[]> = {}
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  for (const element of roots.flatMap((root) => (root ? all(root) : []))) {
    const { x, y, width, height } = element.getBoundingClientRect()
    if (
      width < 2 ||
      height < 2 ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue
    const role = element.getAttribute('role')
    const name = element.localName
    const kind =
      role ?? (/^(button|a|textarea|input|select|article|h\d|table|pre|img|li|time)$/.test(name) ? name : '')
    if (kind) kinds[kind] = (kinds[kind] ?? 0) + 1
    const part =
      (/^(dialog|log|menu)$/.test(role ?? '') && role) || (/^(header|textarea)$/.test(name) && name)
    // The log is as high as what is in it.
    if (part) frame[part] = [x, part === 'log' ? 0 : y, width, part === 'log' ? 0 : height].map(Math.round)
  }
  return { kinds, frame }
}

function readPaints(): Record<string, string[]> {
  const roots = [document.querySelector('#stage'), document.querySelector('foyer-host')?.shadowRoot]
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  const found: Record<string, Set<string>> = {}
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const known: Record<string, string> = {}
  /** In sRGB, with how much of it covers what is below. */
  const plain = (colour: string): string => {
    if (known[colour] || !canvas) return known[colour] ?? ''
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const bytes = [...canvas.getImageData(0, 0, 1, 1).data]
    known[colour] = bytes[3] === 0 ? '-' : bytes.map((each) => each.toString(16).padStart(2, '0')).join('')
    return known[colour]
  }
  for (const element of roots.flatMap((root) => (root ? all(root) : []))) {
    if (
      element.closest('svg') ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue
    const style = getComputedStyle(element)
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
    const hasEdge = Number.parseFloat(style.borderTopWidth) > 0
    const paint = [
      hasWords || element.querySelector(':scope > svg') ? plain(style.color) : '-',
      plain(style.backgroundColor),
      hasEdge ? plain(style.borderTopColor) : '-',
    ]
    if (paint.every((each) => each === '-')) continue
    const part = [element.localName, ...[...element.classList].sort()].join('.')
    found[part] ??= new Set()
    found[part].add(paint.join(' '))
  }
  return Object.fromEntries(Object.entries(found).map(([part, paints]) => [part, [...paints]]))
}

async function readColours(given: { data: string; columns: number; rows: number }): Promise<string> {
  const { data, columns, rows } = given
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(columns, rows)
  const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, columns, rows)
  const { data: pixels } = context.getImageData(0, 0, columns, rows)
  return [...pixels]
    .filter((_, index) => index % 4 !== 3)
    .map((value) => Math.round(value / 17).toString(16))
    .join('')
}

/** `least`: the smallest side of a control, in CSS pixels. */
function readFaults(least: number): string[] {
  const faults: string[] = []
  const host = document.querySelector('foyer-host')?.shadowRoot
  const stage = document.querySelector('#stage')
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  const elements = [...(stage ? all(stage) : []), ...(host ? all(host) : [])].filter((element) => {
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
  })
  const name = (element: Element) =>
    `${element.localName}.${element.getAttribute('class') ?? ''} “${(element.textContent ?? '').trim().slice(0, 30)}”`
  const parentOf = (element: Element): Element | null =>
    element.parentElement ?? ((element.getRootNode() as ShadowRoot).host as Element | undefined) ?? null
  /** What is beyond an edge can be scrolled to, or is meant to be cut. */
  const scrollsAcross = (element: Element): boolean => {
    for (let each = parentOf(element); each && each !== stage; each = parentOf(each)) {
      const { overflowX, textOverflow } = getComputedStyle(each)
      // Shortened words are as long as ever, behind their edge.
      if (textOverflow === 'ellipsis') return true
      if (
        /auto|scroll/.test(overflowX) &&
        each.scrollWidth > each.clientWidth &&
        !each.matches('.scroll, .prechat')
      )
        return true
    }
    return false
  }

  const words = elements.filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
  )
  const isPage = stage?.className === 'page'
  if (!isPage && words.length < 2) faults.push('the screen is blank')
  if (isPage && !elements.some((element) => element.localName === 'button'))
    faults.push('there is no launcher')

  const bounds = isPage ? { left: 0, right: innerWidth } : (stage as Element).getBoundingClientRect()
  for (const element of elements) {
    const { left, right } = element.getBoundingClientRect()
    const isHidden = element.matches('.hidden, .hidden *')
    if (!isHidden && (left < bounds.left - 1 || right > bounds.right + 1) && !scrollsAcross(element))
      faults.push(`${name(element)} is outside, from ${Math.round(left)} to ${Math.round(right)}`)
  }
  for (const box of elements.filter((each) => each.matches('.scroll, .prechat, .content')))
    if (box.scrollWidth > box.clientWidth + 1) faults.push(`${name(box)} scrolls sideways`)
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways')

  const scroll = elements.find((each) => each.matches('.scroll'))
  const last = elements.find((each) => each.matches('.log'))?.lastElementChild
  // Who searches reads elsewhere.
  const searches = elements.some((each) => each.matches('[type="search"]'))
  if (
    !searches &&
    scroll &&
    last &&
    last.getBoundingClientRect().bottom > scroll.getBoundingClientRect().bottom + 1
  )
    faults.push(`the end of the conversation is not shown: ${name(last)}`)

  const controls = elements.filter((each) =>
    each.matches('button, textarea, input:not([disabled]), select, .card[href]'),
  )
  const deepest = (x: number, y: number): Element | null => {
    let at = document.elementFromPoint(x, y)
    while (at?.shadowRoot) {
      const inner = at.shadowRoot.elementFromPoint(x, y)
      if (!inner || inner === at) break
      at = inner
    }
    return at
  }
  for (const control of controls) {
    const box = control.getBoundingClientRect()
    const label = control.matches('[type="checkbox"]') ? control.closest('.field') : null
    const target = (label ?? control.closest('.composer') ?? control).getBoundingClientRect()
    const needed = control.closest('.text, .outcome, .intro, .code-bar, .notice, .note') ? 24 : least
    if (Math.min(target.width, target.height) < needed - 0.5)
      faults.push(`${name(control)} is small: ${Math.round(target.width)} by ${Math.round(target.height)}`)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const area = (
      control.closest('.scroll, .prechat, .menu') ?? document.documentElement
    ).getBoundingClientRect()
    if (y < Math.max(0, area.top) || y > Math.min(innerHeight, area.bottom)) continue
    // A menu lies over what is below it, and so does a question.
    if (document.querySelector('.menu, .scrim') && !control.closest('.menu, .scrim')) continue
    const hit = deepest(x, y)
    if (hit && !control.contains(hit) && !label?.contains(hit))
      faults.push(`${name(control)} is covered by ${name(hit)}`)
  }
  return faults
}
