// Gathers the chunks of an answer that come within one frame of the screen, hundreds a second at times: they are applied in one step, and
// before whatever else happens (law L6).

import type { Frame } from '../../protocol/index.ts'
import type { Event } from '../state/events.ts'
import type { Clock } from '../state/model.ts'

type FrameEvent = Extract<Event, { type: 'frame' }>

/** Whether the frame is one more chunk of an answer, and not its last. */
export const isChunk = ({ batch, events: [event, ...others], drops }: Frame): boolean =>
  !batch &&
  event?.type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' &&
  !event.payload.is_complete &&
  others.length + drops.length === 0

/** `dispatch` gets the chunks with the next frame of the screen, unless `take` gets them before. */
export function gatherChunks(dispatch: (event: Event) => void) {
  let pending: { event: FrameEvent; stop: () => void } | undefined
  return {
    add(run: number, frame: Frame, draw: NonNullable<Clock['frame']>): void {
      if (pending) return void pending.event.frame.events.push(...frame.events)
      const event: FrameEvent = { type: 'frame', run, frame: { ...frame, events: [...frame.events] } }
      pending = {
        event,
        stop: draw(() => {
          pending = undefined
          dispatch(event)
        }),
      }
    },
    take(): Event | undefined {
      const due = pending
      pending = undefined
      due?.stop()
      return due?.event
    },
  }
}
