// Sends Server-Sent Events, which tell the demo's pages to read again.

const BEAT_MS = 15_000
/** A page that leaves more of these unread loses its stream, and opens it again when it reads on. */
const MOST_UNREAD = 1_000

/** Begins to send, and returns the undo. */
export type Begin = (send: (event: string, data?: object) => void) => () => void

export function createStreams() {
  const streams = new Set<() => void>()

  return {
    /** Opens a stream, which either side can end. */
    events(begin: Begin): Response {
      const encoder = new TextEncoder()
      let end = () => {}
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          let ended = false
          const write = (text: string) => {
            // Several events may come in one go, and one of them may end the stream.
            if (ended) return
            if ((controller.desiredSize ?? 0) < -MOST_UNREAD) return close()
            controller.enqueue(encoder.encode(text))
          }
          const beat = setInterval(() => write(': still here\n\n'), BEAT_MS)
          const undo = begin((event, data = {}) =>
            write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
          )
          end = () => {
            ended = true
            clearInterval(beat)
            undo()
            streams.delete(close)
          }
          const close = () => {
            end()
            controller.close()
          }
          streams.add(close)
          write('retry: 1000\n\n')
        },
        cancel: () => end(),
      })
      return new Response(body, {
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
      })
    },
    /** Ends all streams. */
    close(): void {
      for (const close of streams) close()
    },
  }
}
