// Lets every later socket of the frame's document fail as networks do, for developers' tools: the engine has to bear it.

import { FAULTS, type Fault } from '../../channel.ts'

const SLOW_MS = 1_500
/** With `lost`, each fifth frame of a socket is dropped. */
const LOST_EACH = 5

const Own = globalThis.WebSocket

/** Undoes the fault before. Anything but a fault: none. */
export function setFault(name: unknown): void {
  const fault = FAULTS.find((each) => each === name)
  globalThis.WebSocket = fault ? faulty(fault) : Own
}

function faulty(fault: Fault): typeof WebSocket {
  return class extends Own {
    readonly #heard = new Map<unknown, EventListener>()
    #count = 0
    #pass(frame: () => void): void {
      this.#count++
      // Equal times keep the order.
      if (fault === 'slow') return void setTimeout(frame, SLOW_MS)
      if (fault === 'lost' && this.#count % LOST_EACH === 0) return
      frame()
      if (fault === 'doubled') frame()
    }
    override addEventListener(type: string, listener: EventListener, options?: AddEventListenerOptions) {
      const late = (event: Event) => this.#pass(() => listener.call(this, event))
      if (type === 'message') this.#heard.set(listener, late)
      super.addEventListener(type, type === 'message' ? late : listener, options)
    }
    override removeEventListener(type: string, listener: EventListener, options?: EventListenerOptions) {
      super.removeEventListener(type, (type === 'message' && this.#heard.get(listener)) || listener, options)
    }
    override send(data: string) {
      this.#pass(() => {
        if (this.readyState === Own.OPEN) super.send(data)
      })
    }
  }
}
