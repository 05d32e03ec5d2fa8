// What runs in every document beside a contestant: waits for what is on the screen, and watches frames and long tasks.

declare global {
  interface Window {
    contestant?: Record<'composer' | 'newest' | 'scroller', () => Element | null | undefined>
    bench: ReturnType<typeof watch>
  }
}

/** Its source is injected, so it uses nothing from outside. */
export function watch() {
  const gaps: number[] = []
  const tasks: number[] = []
  let watching = false
  let last = 0
  const now = () => performance.timeOrigin + performance.now()
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  /** To be called in a frame: the time once that is painted. */
  const painted = async () => {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(0)
    })
    return now()
  }
  /** The last words in an element, those of shadow roots included, without reading all of it. */
  const tail = (node: Node, most = 400): string => {
    if (node.nodeType === Node.TEXT_NODE) return (node.nodeValue ?? '').slice(-most)
    const { shadowRoot } = node as Element
    let text = ''
    for (const from of [node, shadowRoot])
      for (let child = from?.lastChild; child && text.length < most; child = child.previousSibling)
        if (!(child instanceof HTMLStyleElement)) text = tail(child, most - text.length) + text
    return text
  }
  const step = (time: number) => {
    if (!watching) return
    if (last > 0) gaps.push(time - last)
    last = time
    requestAnimationFrame(step)
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (watching) tasks.push(duration)
  }).observe({ type: 'longtask' })

  return {
    now,
    /**
     * Resolves with the time at which the composer could be used, or what `find` finds was on the screen. `focused`: what is written
     * has to reach it, too.
     */
    async usable(
      limit: number,
      focused = false,
      find = () => window.contestant?.composer(),
    ): Promise<number> {
      const until = now() + limit
      for (;;) {
        await frame()
        const found = find()
        const isUsable =
          found?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          found.getBoundingClientRect().height > 0 &&
          !(found as HTMLTextAreaElement).disabled &&
          (!focused || document.activeElement === found)
        if (isUsable) return painted()
        if (now() > until) return -1
      }
    },
    /** Resolves with the time at which the newest message ended with, or held in its last words, `words`; -1 after `limit` ms. */
    async shows(words: string, limit: number, every = 0): Promise<number> {
      const until = now() + limit
      for (;;) {
        if (every > 0) await new Promise((resolve) => setTimeout(resolve, every))
        await frame()
        const newest = window.contestant?.newest()
        if (newest && tail(newest).includes(words)) return painted()
        if (now() > until) return -1
      }
    },
    /** Resolves with the time of the next press. */
    pressed: (): Promise<number> =>
      new Promise((resolve) =>
        window.addEventListener(
          'pointerdown',
          ({ timeStamp }) => resolve(performance.timeOrigin + timeStamp),
          { capture: true, once: true },
        ),
      ),
    begin() {
      gaps.length = 0
      tasks.length = 0
      last = 0
      watching = true
      requestAnimationFrame(step)
    },
    end() {
      watching = false
      return { gap: Math.max(0, ...gaps), longTasks: tasks.length, longest: Math.max(0, ...tasks) }
    },
    /** Scrolls up by `frames` steps of 600 px, then back to the end. */
    async scroll(frames: number): Promise<void> {
      const box = window.contestant?.scroller()
      if (!box) return
      for (let n = 0; n < frames; n++) {
        box.scrollTop -= 600
        await frame()
      }
      box.scrollTop = box.scrollHeight
      await frame()
    },
  }
}
