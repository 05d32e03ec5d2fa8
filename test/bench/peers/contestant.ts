// What every contestant can do on its page. The bench calls it; what it measures it reads from the browser.

export interface Contestant {
  /** Puts on the page what stands there before the visitor asks for the chat, as the contestant's own guide says. */
  mount(): void | Promise<void>
  /** As a click on the launcher. Undefined: there is none, and `mount` draws the panel. */
  open?(): void
  /** What a visitor presses. Undefined: there is none, or nothing that the bench could find. */
  launcher?(): HTMLElement | null | undefined
  /** Takes everything off the page again. */
  unmount(): void | Promise<void>
  /** Asks for an answer, where the service cannot begin one. */
  ask?(): void | Promise<void>
  /** Adds message `n`, where the service cannot. */
  append?(n: number): void | Promise<void>
  /** What a visitor writes in. */
  composer(): Element | null | undefined
  /** The newest message as the visitor sees it. */
  newest(): Element | null | undefined
  /** What scrolls the messages. */
  scroller(): Element | null | undefined
}

/** Of the page's address: where the service is, and how many messages the session has. */
export const service = (): string => new URLSearchParams(location.search).get('service') ?? ''
export const messages = (): number => Number(new URLSearchParams(location.search).get('messages') ?? 0)

/** Mounts the contestant, as a site does when its page loads. */
export function present(contestant: Contestant): void {
  Object.assign(window, { contestant })
  if (!location.search.includes('mounts')) void contestant.mount()
}
