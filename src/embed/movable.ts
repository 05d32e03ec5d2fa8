// Lets the visitor move and resize the floating panel, by a strip above its content: the strip moves, the corner away from the
// launcher resizes. Without dragging, a press on the strip shows buttons for the same, and the arrow keys do it. Drawn on the
// page, so no pointer of the frame reaches the page. Loaded if the page asks for it.

import { type Bounds, move, type Room, readBounds, resize, within, writeBounds } from './bounds.ts'
import type { PanelHost } from './host.ts'
import { askBff, createMemory } from './memory.ts'
import css from './movable.css?inline'
import { movableWords } from './movable-words.ts'
import stripCss from './strip.css?inline'

const STEP = 24
/** A press that moves less is no drag. */
const SLACK = 4
const DESKTOP = ':host([data-foyer-state~="float"]:not([data-foyer-state~="phone"])) dialog'

/** The undo of each host's earlier strip. */
const current = new WeakMap<HTMLElement, () => void>()

/** `asks`: whether the BFF at `origin` requires consent. Returns the undo, which also runs when the chat is destroyed. */
export function createMovable(
  host: PanelHost,
  box: HTMLElement,
  origin: string,
  asks = () => askBff(origin),
): () => void {
  const { element, launcher } = host
  const { layout = 'float', position } = host.options()
  if (layout !== 'float' || !box.isConnected) return () => {}
  current.get(element)?.()
  const root = element.shadowRoot as ShadowRoot
  const side = position === 'left' ? 'left' : 'right'
  /** Of a movement to the right, away from the side of the launcher. */
  const inward = side === 'left' ? 1 : -1
  const memory = createMemory(host, `${host.key}:place`, asks)
  const sheet = new CSSStyleSheet()
  /** What the visitor wants, also where the window is too small for it. */
  let wish = readBounds(memory.read())

  const strip = document.createElement('header')
  // Its arrows point to where they move.
  strip.dir = 'ltr'
  strip.className = side
  const inside = strip.attachShadow({ mode: 'open' })
  const stripSheet = new CSSStyleSheet()
  stripSheet.replaceSync(stripCss)
  inside.adoptedStyleSheets = [stripSheet]
  const corner = document.createElement('i')
  const grip = document.createElement('button')
  const group = document.createElement('div')
  grip.append(document.createElement('b'))
  grip.type = 'button'
  group.role = 'group'
  group.hidden = true
  const buttons = ACTS.map(({ path, act }) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(drawIcon(path))
    button.onclick = () => act({ shift, grow, reset })
    group.append(button)
    return button
  })
  inside.append(corner, grip, group)

  function room(): Room {
    const { clientWidth: width, clientHeight: height } = document.scrollingElement ?? document.documentElement
    const { top } = launcher.getBoundingClientRect()
    return { width, height, floor: launcher.hidden ? 16 : Math.round(Math.max(0, height - top)) + 16 }
  }
  /** Where the panel stands, as the browser has laid it out. */
  function stands(): Bounds {
    if (wish) return within(wish, room())
    const style = getComputedStyle(box)
    const [inset = 0, bottom = 0, width = 0, height = 0] = [
      style[side],
      style.bottom,
      style.width,
      style.height,
    ].map((length) => Number.parseFloat(length) || 0)
    return { inset, bottom, width, height }
  }
  function draw(): void {
    let rule = ''
    if (wish) {
      const { inset, bottom, width, height } = within(wish, room())
      rule = `${DESKTOP}{${side}:${inset}px;bottom:${bottom}px;width:${width}px;height:${height}px}`
    }
    sheet.replaceSync(css + rule)
  }
  function place(next: Bounds | undefined): void {
    wish = next
    draw()
  }
  const save = () => memory.keep(wish && writeBounds(wish))
  /** By pixels to the right and down. */
  function shift(x: number, y: number): void {
    place(move(stands(), x * inward, -y, room()))
    save()
  }
  /** Moves the corner by pixels away from the launcher and up. */
  function grow(wider: number, taller: number): void {
    place(resize(stands(), wider, taller, room()))
    save()
  }
  function reset(): void {
    place(undefined)
    save()
  }
  function show(shown: boolean): void {
    group.hidden = !shown
    grip.ariaExpanded = `${shown}`
  }

  const drags = (handle: HTMLElement, by: typeof move, press = () => {}) => {
    let dragged = false
    // WebKit would select the words of the page below.
    handle.onmousedown = (event) => {
      event.preventDefault()
      handle.focus()
    }
    handle.onpointerdown = (down) => {
      if (down.button !== 0 || !down.isPrimary) return
      const from = stands()
      let moved = false
      // No click ends the drag of a finger.
      dragged = false
      handle.setPointerCapture?.(down.pointerId)
      strip.classList.add('held')
      handle.onpointermove = ({ clientX, clientY }) => {
        const [x, y] = [clientX - down.clientX, clientY - down.clientY]
        moved ||= Math.hypot(x, y) >= SLACK
        if (moved) place(by(from, x * inward, -y, room()))
      }
      handle.onlostpointercapture = handle.onpointerup = () => {
        handle.onpointermove = handle.onpointerup = handle.onlostpointercapture = null
        strip.classList.remove('held')
        if (moved) save()
        dragged = moved
      }
    }
    handle.onclick = ({ detail }) => {
      // The click that ends a drag is no press; one of a key has no count.
      if (!dragged || detail === 0) press()
      dragged = false
    }
  }
  drags(grip, move, () => show(group.hidden === true))
  drags(corner, resize)

  inside.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event as KeyboardEvent
    if (ctrlKey || metaKey || altKey) return
    const [x, y] = ARROWS[key] ?? [0, 0]
    if (x || y) {
      if (shiftKey) grow(x * STEP * inward, -y * STEP)
      else shift(x * STEP, y * STEP)
    } else if (key === 'Escape' && group.hidden) host.close()
    else if (key === 'Escape') {
      show(false)
      grip.focus()
    } else return
    event.preventDefault()
  })

  function speak(): void {
    const [label, keys, ...labels] = movableWords(host.locale())
    grip.ariaLabel = label
    grip.ariaDescription = keys
    group.ariaLabel = label
    for (const [index, button] of buttons.entries()) button.title = button.ariaLabel = labels[index] ?? ''
  }
  function dispose(): void {
    removeEventListener('resize', refresh)
    element.removeEventListener('foyer-destroy', dispose)
    element.removeEventListener('foyer-open', refresh)
    strip.remove()
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
  }
  function refresh(): void {
    if (!box.isConnected) return dispose()
    speak()
    draw()
  }
  addEventListener('resize', refresh)
  element.addEventListener('foyer-destroy', dispose)
  element.addEventListener('foyer-open', refresh)
  current.set(element, dispose)
  show(false)
  refresh()
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  box.prepend(strip)
  return dispose
}

const ARROWS: Readonly<Record<string, readonly [x: number, y: number] | undefined>> = {
  __proto__: null as never,
  ArrowLeft: [-1, 0],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowDown: [0, 1],
}

type Acts = { shift(x: number, y: number): void; grow(wider: number, taller: number): void; reset(): void }

/** In the order of their words. */
const ACTS: readonly { path: string; act: (acts: Acts) => void }[] = [
  { path: 'M15.5 10h-11m4-4-4 4 4 4', act: ({ shift }) => shift(-STEP, 0) },
  { path: 'M10 15.5v-11m-4 4 4-4 4 4', act: ({ shift }) => shift(0, -STEP) },
  { path: 'M10 4.5v11m-4-4 4 4 4-4', act: ({ shift }) => shift(0, STEP) },
  { path: 'M4.5 10h11m-4-4 4 4-4 4', act: ({ shift }) => shift(STEP, 0) },
  { path: 'M4.5 10h11', act: ({ grow }) => grow(-2 * STEP, -2 * STEP) },
  { path: 'M4.5 10h11M10 4.5v11', act: ({ grow }) => grow(2 * STEP, 2 * STEP) },
  { path: 'M4.5 4.5v4h4m-3.6-.5a5.75 5.75 0 1 1-.4 4', act: ({ reset }) => reset() },
]

function drawIcon(d: string): Element {
  const svg = 'http://www.w3.org/2000/svg'
  const icon = document.createElementNS(svg, 'svg')
  const path = document.createElementNS(svg, 'path')
  icon.setAttribute('viewBox', '0 0 20 20')
  path.setAttribute('d', d)
  icon.append(path)
  return icon
}
