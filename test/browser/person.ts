// A person at a chat: finds everything by its role and name, uses it by keyboard alone or by touch, and knows after each step
// where the focus is and whether the newest line can be read.

import { expect } from 'vitest'
import { eventually, KEYS, type Place, type Window } from './engine.ts'

export type Hands = 'keys' | 'touch'
export type Isolation = 'frame' | 'none'
type Name = string | RegExp

const PATIENCE = 60_000
const MOST_STOPS = 40

export type Person = ReturnType<typeof personAt>

/** `opened`: where the focus is once the chat is open. */
export function personAt(window: Window, isolation: Isolation, hands: Hands, opened: string) {
  const inside: Place = isolation === 'frame' ? 'frame' : 'page'
  /** The launcher alone stands on the page. */
  const placeOf = (role: string, name: Name): Place =>
    `${role} ${name}` === 'button Open chat' ? 'page' : inside
  const sought = (role: string, name: Name) => {
    const pattern =
      typeof name === 'string' ? `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : name.source
    return `(${seek})(${JSON.stringify(role)}, ${JSON.stringify(pattern)})`
  }
  const read = (place: Place, expression: string) => window.read(place, expression)

  /** `role name` of what has the focus. */
  async function focus(): Promise<string> {
    const onPage = String(await read('page', `(${focused})()`))
    return onPage === 'frame' ? String(await read('frame', `(${focused})()`)) : onPage
  }
  const is = (found: string, role: string, name: Name): boolean =>
    typeof name === 'string'
      ? found === `${role} ${name}`
      : found.startsWith(`${role} `) && name.test(found.slice(role.length + 1))

  async function sees(role: string, name: Name): Promise<void> {
    await eventually(async () => {
      if (await read(placeOf(role, name), `!!${sought(role, name)}`)) return
      throw new Error(`There is no ${role} ${name}. There is: ${await read(inside, `(${everything})()`)}`)
    }, PATIENCE)
  }
  /** Moves by a key until the focus is on it. Returns the stops on the way, it among them. */
  async function walk(role: string, name: Name, key: string, held?: string): Promise<string[]> {
    const stops: string[] = []
    for (let count = 0; count < MOST_STOPS; count++) {
      await window.press(key, held)
      const at = await focus()
      stops.push(at)
      if (is(at, role, name)) return stops
    }
    throw new Error(`The keys never led to the ${role} ${name}: ${stops.join(' > ')}`)
  }

  return {
    window,
    hands,
    opened,
    sees,
    /** Resolves once the log holds the text. */
    async hears(text: string, times = 1) {
      await eventually(async () => {
        const log = String(await read(inside, `${sought('log', /./)}?.textContent`))
        if (log.split(text).length <= times)
          throw new Error(
            `Nobody said "${text}" ${times} times. The log ends: ${log.slice(-300)}. The focus is on ${await focus()}`,
          )
      }, PATIENCE)
    },
    /** Resolves once the text stands anywhere in the panel. */
    async reads(text: string) {
      await eventually(async () => {
        const panel = String(await read(inside, `${sought('dialog', /./)}?.innerText`))
        if (!panel.includes(text)) throw new Error(`Nowhere is "${text}". The panel is: ${panel}`)
      }, PATIENCE)
    },
    /** Uses a control, as the hands do. `ahead`: it comes after the focus in the order of Tab; most come before. */
    async use(role: string, name: Name, { ahead = false } = {}) {
      await sees(role, name)
      if (hands === 'keys') {
        if (!is(await focus(), role, name)) {
          if (role.startsWith('menuitem')) {
            // A menu that has just been opened takes the focus by itself.
            await this.focusIs(/^menuitem/, `the menu with ${name}`)
            if (!is(await focus(), role, name)) await walk(role, name, KEYS.down)
          } else if (ahead) await walk(role, name, KEYS.tab)
          else await walk(role, name, KEYS.tab, KEYS.shift)
        }
        return window.press(role === 'radio' ? ' ' : KEYS.enter)
      }
      // What a finger cannot see it cannot touch.
      await eventually(
        async () =>
          expect(await read(placeOf(role, name), `(${covered})(${sought(role, name)})`)).toBe('free'),
        PATIENCE,
      )
      if (!window.tap) throw new Error('This engine has no touch screen')
      await window.tap(placeOf(role, name), sought(role, name))
    },
    /** Chooses one of a group of radios. */
    async choose(name: string, first: RegExp) {
      await sees('radio', name)
      if (hands === 'touch') {
        // The finger meets the picture that stands for the radio.
        const label = `${sought('radio', name)}.closest('label')`
        expect(await read(inside, `(${covered})(${label})`)).toBe('free')
        await window.tap?.(inside, label)
      } else {
        await walk('radio', first, KEYS.tab, KEYS.shift)
        await window.press(' ')
        if (!is(await focus(), 'radio', name)) await walk('radio', name, KEYS.left)
      }
      await eventually(
        async () => expect(await read(inside, `${sought('radio', name)}.checked`)).toBe(true),
        PATIENCE,
      )
    },
    /** Writes into the field, which has the focus where there is a keyboard. */
    async write(role: string, name: string, text: string) {
      await sees(role, name)
      if (hands === 'touch') await this.use(role, name)
      else if (!is(await focus(), role, name)) await walk(role, name, KEYS.tab)
      await window.press(text)
      await eventually(async () => expect(await focus()).toBe(`${role} ${name}`), PATIENCE)
      await eventually(
        async () => expect(await read(inside, `${sought(role, name)}.value`)).toBe(text),
        PATIENCE,
      )
    },
    /** Writes a message and sends it. */
    async say(text: string) {
      await this.write('textbox', 'Message', text)
      if (hands === 'touch') await this.use('button', 'Send')
      else await window.press(KEYS.enter)
      await this.hears(text)
    },
    /** Whether a control is pressed. */
    pressed: (role: string, name: Name) =>
      read(inside, `${sought(role, name)}?.getAttribute('aria-pressed')`),
    gone: (role: string, name: Name) =>
      eventually(async () => {
        expect(await read(placeOf(role, name), `!!${sought(role, name)}`)).toBe(false)
      }, PATIENCE),
    /** Every stop of Tab from what has the focus back to one before it. The way forward again has the same. */
    async order(role: string, first: Name): Promise<string[]> {
      const [start, back] = [await focus(), await walk(role, first, KEYS.tab, KEYS.shift)]
      const [startRole = '', ...startName] = start.split(' ')
      const forward = await walk(startRole, startName.join(' '), KEYS.tab)
      expect(forward).toEqual([start, ...back].toReversed().slice(1))
      return [start, ...back]
    },
    /** Resolves once the newest line can be read as a whole, and nothing lies on it. */
    readsOn: (step: string) =>
      eventually(async () => expect(await read(inside, `(${newest})()`), step).toBe('in sight'), PATIENCE),
    /** Runs in the place of the panel. */
    read: (expression: string) => read(inside, expression),
    /** From now on the texts of files that the chat hands over are kept here, and not saved. */
    async keepsFiles() {
      await read(inside, `(${keepFiles})()`)
    },
    files: () => read(inside, 'globalThis.files'),
    /** Resolves once the focus is there. */
    focusIs: (expected: string | RegExp, step: string) =>
      eventually(
        async () =>
          expect(await focus(), step).toEqual(
            typeof expected === 'string' ? expected : expect.stringMatching(expected),
          ),
        PATIENCE,
      ),
  }
}

// The functions below run in the page, so each is whole by itself.

/** The last element with the role whose name matches, in every shadow root, if it can be seen. */
function seek(role: string, pattern: string): Element | undefined {
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  const implicit = (each: Element): string | undefined => {
    if (each instanceof HTMLInputElement)
      return (
        ({ search: 'searchbox', radio: 'radio', checkbox: 'checkbox' } as Record<string, string>)[
          each.type
        ] ?? 'textbox'
      )
    if (each instanceof HTMLAnchorElement) return each.href ? 'link' : undefined
    return (
      { button: 'button', textarea: 'textbox', article: 'article', h2: 'heading' } as Record<string, string>
    )[each.localName]
  }
  const name = (each: Element): string =>
    (each.getAttribute('aria-label') ?? each.textContent ?? '').replace(/\s+/g, ' ').trim()
  const matches = new RegExp(pattern, 'u')
  return all(document)
    .filter((each) => {
      if ((each.getAttribute('role') ?? implicit(each)) !== role || !matches.test(name(each))) return false
      const { width, height } = each.getBoundingClientRect()
      return (
        width > 0 &&
        height > 0 &&
        each.checkVisibility({ visibilityProperty: true }) &&
        !each.closest('[inert]')
      )
    })
    .at(-1)
}

/** `role name` of what has the focus, in every shadow root; `frame` if that is a frame. */
function focused(): string {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  if (!at || at === document.body || at === document.documentElement) return 'nothing'
  if (at.localName === 'iframe') return 'frame'
  if (at.querySelector(':scope > [role="log"]')) return 'region Conversation'
  const types: Record<string, string> = { search: 'searchbox', radio: 'radio', checkbox: 'checkbox' }
  const roles: Record<string, string> = { a: 'link', textarea: 'textbox', input: 'textbox' }
  const role =
    at.getAttribute('role') ?? types[(at as HTMLInputElement).type] ?? roles[at.localName] ?? at.localName
  const name = role === 'article' ? '' : (at.getAttribute('aria-label') ?? at.textContent ?? '')
  return `${role} ${name.replace(/\s+/g, ' ').trim()}`
}

/** What a person finds in the panel, for errors. */
function everything(): string {
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  return all(document)
    .filter((each) => each.matches('[role],button,textarea,input,a,h2') && each.checkVisibility())
    .map(
      (each) =>
        `${each.getAttribute('role') ?? each.localName} ${each.getAttribute('aria-label') ?? each.textContent?.slice(0, 40)}`,
    )
    .join(' | ')
}

function keepFiles(): void {
  const files: string[] = []
  Object.assign(globalThis, { files })
  URL.createObjectURL = (given: Blob) => {
    void given.text().then((text) => files.push(text))
    return '#'
  }
  // What Firefox asks about a file takes the keyboard from the page.
  HTMLAnchorElement.prototype.click = () => {}
}

/** `free` if the middle of the element is what a finger meets there; else what lies on it. */
function covered(element: Element | undefined): string {
  if (!element) return 'not there'
  const { x, y, width, height } = element.getBoundingClientRect()
  let at = document.elementFromPoint(x + width / 2, y + height / 2)
  while (at?.shadowRoot) {
    const inner = at.shadowRoot.elementFromPoint(x + width / 2, y + height / 2)
    if (!inner || inner === at) break
    at = inner
  }
  if (at && (element.contains(at) || at.contains(element.querySelector('svg') ?? element))) return 'free'
  return at ? `below ${at.localName}.${at.className}` : `outside, at ${Math.round(x)} ${Math.round(y)}`
}

/** `in sight` if the end of the log is inside of what scrolls, inside of the panel and the window, with nothing on it. */
function newest(): string {
  const all = (root: ParentNode): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  const log = all(document).find((each) => each.getAttribute('role') === 'log')
  const box = log?.parentElement
  if (!log || !box) return 'there is no log'
  const drawn = [...log.children].filter((each) => each.getBoundingClientRect().height > 0)
  const last = drawn.at(-1)
  if (!last) return 'the log is empty'
  const { bottom, top, left, width } = last.getBoundingClientRect()
  const view = box.getBoundingClientRect()
  const panel = box.closest('[role="dialog"]')?.getBoundingClientRect()
  if (bottom > view.bottom + 1) return `${Math.round(bottom - view.bottom)} px are below the edge`
  if (bottom - Math.min(22, last.getBoundingClientRect().height) < view.top) return 'above the edge'
  if (!panel || view.bottom > panel.bottom + 1 || view.bottom > innerHeight + 1) return 'outside of the panel'
  const y = Math.max((top + bottom) / 2, bottom - 12)
  let at = document.elementFromPoint(left + width / 2, y)
  while (at?.shadowRoot) {
    const inner = at.shadowRoot.elementFromPoint(left + width / 2, y)
    if (!inner || inner === at) break
    at = inner
  }
  return at && box.contains(at) ? 'in sight' : `below ${at?.localName}.${at?.className}`
}
