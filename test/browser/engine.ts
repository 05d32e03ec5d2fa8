// A browser as a visitor uses it, whatever protocol drives it: windows, a page, the chat's frame in it, real
// clicks and keys.

/** Keys without a letter, as WebDriver names them. */
export const KEYS = {
  enter: '\uE007',
  escape: '\uE00C',
  tab: '\uE004',
  shift: '\uE008',
  up: '\uE013',
  down: '\uE015',
  left: '\uE012',
} as const

/** Where a script runs: in the page itself, or in the frame that the chat put there. */
export type Place = 'page' | 'frame'

export interface Window {
  /** Resolves when the page is loaded. */
  go(url: string): Promise<void>
  reload(): Promise<void>
  /** The value of an expression, as JSON has it. */
  read(place: Place, expression: string): Promise<unknown>
  /** Clicks the element that the expression yields. */
  click(place: Place, expression: string): Promise<void>
  /** Types into the element that the expression yields, and ends with the Enter key. */
  enter(place: Place, expression: string, text: string): Promise<void>
  /** Presses the keys, wherever the page's focus is, while another key is held. */
  press(text: string, held?: string): Promise<void>
  /** Touches the element that the expression yields, where the engine's driver has a touch screen. */
  tap?(place: Place, expression: string): Promise<void>
  close(): Promise<void>
}

/** `touch`: with a touch screen, where the engine's driver has one to give. */
export type Size = { width: number; height: number; touch?: boolean }

export interface Engine {
  /** A window with a page of this size; without one, as large as the engine likes. */
  open(size?: Size): Promise<Window>
  /** Ends the browser and removes its profile. */
  close(): Promise<void>
}

/** The chat's frame, as an expression of the page. */
export const FRAME = `document.querySelector('foyer-host')?.shadowRoot?.querySelector('iframe')`

/** Tries until it works; the error of the last try says why it never did. */
export async function eventually<T>(attempt: () => Promise<T>, within: number): Promise<T> {
  const end = Date.now() + within
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Each key down and up again, in the terms of WebDriver, while another is held. */
export function keyActions(text: string, held?: string): { type: string; value: string }[] {
  const keys = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return held === undefined
    ? keys
    : [{ type: 'keyDown', value: held }, ...keys, { type: 'keyUp', value: held }]
}
