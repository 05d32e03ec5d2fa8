// The time a panel may take, from when somebody wants it. After 8 s without an answer one sentence stands in its place, with a
// retry and the way out. A panel that answers late is shown all the same.

import type { PanelHost } from './host.ts'
import type { Reason } from './trouble.ts'

const PATIENCE_MS = 8_000

export type Wait = {
  /** Somebody wants the panel: once, it is started, and so is the time it may take. */
  want(): void
  /** The panel is there. */
  over(): void
  /** It is known that there will be none. */
  fail(reason: Reason): void
  dispose(): void
}

/** `attempt` starts the panel, again at each retry. */
export function createWait(host: PanelHost, box: HTMLElement, origin: string, attempt: () => unknown): Wait {
  let wanted = false
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Takes the sentence away. */
  let clear: (() => void) | undefined
  /** Counts the tries: the sentence of an earlier one comes too late. */
  let round = 0

  function begin(): void {
    stop('')
    timer = setTimeout(() => fail('silent'), PATIENCE_MS)
    attempt()
  }
  function stop(look: '' | 'ready'): void {
    round++
    clearTimeout(timer)
    clear?.()
    clear = undefined
    box.className = look
  }
  function fail(reason: Reason): void {
    stop('')
    const now = round
    import('./trouble.ts').then(
      ({ showTrouble }) => {
        if (now !== round) return
        clear = showTrouble(host, box, origin, reason, begin)
      },
      () => {
        if (now === round) host.failed()
      },
    )
  }
  return {
    want() {
      if (wanted) return
      wanted = true
      if (box.className !== 'ready') begin()
    },
    over: () => stop('ready'),
    fail,
    dispose: () => stop(''),
  }
}
