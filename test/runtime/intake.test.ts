// What a client may send, counted: frames, bytes, and what is held of them.

import { describe, expect, it } from 'vitest'
import { createGate, createIntake, type QueuedFrame } from '../../src/runtime/sessions/socket/intake.ts'

const KIB = 1024
const MIB = 1024 * KIB

describe('the gate', () => {
  function world(start = 1_000) {
    let now = start
    let asked = 0
    const gate = createGate(() => {
      asked++
      return now
    })
    return {
      gate,
      asked: () => asked,
      pass: (ms: number) => {
        now += ms
      },
      /** The verdicts on so many frames, in the order in which they first came. */
      verdicts: (count: number, bytes = 8) => {
        const seen: Record<string, number> = {}
        for (let index = 0; index < count; index++) {
          const verdict = gate(bytes)
          seen[verdict] = (seen[verdict] ?? 0) + 1
        }
        return seen
      },
    }
  }

  it('passes 100 frames in 10 s, drops up to 500, and closes above that', () => {
    expect(world().verdicts(100)).toEqual({ pass: 100 })
    expect(world().verdicts(500)).toEqual({ pass: 100, drop: 400 })
    expect(world().verdicts(503)).toEqual({ pass: 100, drop: 400, close: 3 })
  })

  it('limits bytes as it limits frames: 1 MiB, and 4 MiB', () => {
    expect(world().verdicts(8, 128 * KIB)).toEqual({ pass: 8 })
    expect(world().verdicts(9, 128 * KIB)).toEqual({ pass: 8, drop: 1 })
    expect(world().verdicts(33, 128 * KIB)).toEqual({ pass: 8, drop: 24, close: 1 })
    expect(world().gate(MIB + 1)).toBe('drop')
    expect(world().gate(4 * MIB + 1)).toBe('close')
  })

  it('counts anew after 10 s, frames and bytes', () => {
    const { gate, pass, verdicts } = world()
    verdicts(300, 4 * KIB)
    pass(9_999)
    expect(gate(8)).toBe('drop')
    pass(1)
    expect(verdicts(100)).toEqual({ pass: 100 })
    expect(gate(8)).toBe('drop')
  })

  it('counts anew when the clock is set back', () => {
    const { pass, verdicts } = world(1_000_000)
    verdicts(200)
    pass(-500_000)
    expect(verdicts(100)).toEqual({ pass: 100 })
  })

  it('reads the clock once for each frame', () => {
    const { asked, verdicts } = world()
    verdicts(100_000)
    expect(asked()).toBe(100_000)
  })
})

describe('the intake', () => {
  /** A source that counts, and a handler whose frames are finished by hand. */
  function world({ handled = (_: QueuedFrame): Promise<void> => Promise.resolve() } = {}) {
    const log: string[] = []
    const frames: QueuedFrame[] = []
    let now = 0
    let decoded = 0
    let refused = 0
    const finish: (() => void)[] = []
    const intake = createIntake({
      now: () => now,
      source: { pause: () => log.push('pause'), resume: () => log.push('resume') },
      async handle(frame) {
        frames.push(frame)
        await handled(frame)
        await new Promise<void>((resolve) => finish.push(resolve))
      },
      refused: () => void refused++,
      cut: () => log.push('cut'),
      failed: (error) => log.push((error as Error).message),
    })
    const settle = () => new Promise((resolve) => setImmediate(resolve))
    return {
      log,
      frames,
      intake,
      decoded: () => decoded,
      refused: () => refused,
      pass: (ms: number) => {
        now += ms
      },
      send(text: string, bytes = text.length) {
        intake.take(bytes, () => {
          decoded++
          return text
        })
      },
      settle,
      async finish(count = 1) {
        for (let left = count; left > 0; left--) {
          await settle()
          finish.shift()?.()
        }
        await settle()
      },
    }
  }
  const texts = (frames: readonly QueuedFrame[]) => frames.map(({ text }) => text)

  it('handles nothing before its start, then one frame after another in their order', async () => {
    const { intake, frames, send, finish, settle } = world()
    for (const text of ['a', 'b', 'c']) send(text)
    await settle()
    expect(frames).toEqual([])
    intake.start()
    intake.start()
    await settle()
    expect(texts(frames)).toEqual(['a'])
    await finish()
    expect(texts(frames)).toEqual(['a', 'b'])
    await finish(2)
    expect(texts(frames)).toEqual(['a', 'b', 'c'])
    send('d')
    await settle()
    expect(texts(frames)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('pauses its source at 32 waiting frames, and resumes the source when half are left', async () => {
    const { intake, log, send, finish } = world()
    for (let count = 0; count < 31; count++) send('x')
    expect(log).toEqual([])
    send('x')
    // What the library has read already still comes.
    for (let count = 0; count < 10; count++) send('x')
    expect(log).toEqual(['pause'])
    intake.start()
    await finish(24)
    expect(log).toEqual(['pause'])
    await finish(2)
    expect(log).toEqual(['pause', 'resume'])
    // A second time: 15 wait, and one is being handled.
    for (let count = 0; count < 16; count++) send('x')
    expect(log).toEqual(['pause', 'resume'])
    send('x')
    expect(log).toEqual(['pause', 'resume', 'pause'])
    await finish(32)
    expect(log).toEqual(['pause', 'resume', 'pause', 'resume'])
  })

  it('pauses its source at 256 KiB as well, and resumes the source when half are left', async () => {
    const { intake, log, send, finish } = world()
    for (const _ of [1, 2, 3]) {
      expect(log).toEqual([])
      send('x', 88 * KIB)
    }
    expect(log).toEqual(['pause'])
    intake.start()
    await finish()
    expect(log).toEqual(['pause'])
    await finish()
    expect(log).toEqual(['pause', 'resume'])
    for (const _ of [1, 2]) send('x', 88 * KIB)
    expect(log).toEqual(['pause', 'resume', 'pause'])
  })

  it('passes on the first frame above the limit of each window, marked, and neither reads nor keeps the others', async () => {
    const { intake, frames, decoded, pass, send, finish } = world()
    intake.start()
    for (let count = 0; count < 102; count++) send(`${count}`)
    await finish(102)
    expect(decoded()).toBe(101)
    pass(10_000)
    for (let count = 200; count < 303; count++) send(`${count}`)
    await finish(102)
    expect(frames.filter(({ dropped }) => dropped).map(({ text }) => text)).toEqual(['100', '300'])
    expect(frames).toHaveLength(202)
  })

  it('passes on the first message that is dropped, whatever control frames came before', async () => {
    const { intake, frames, pass, send, finish } = world()
    intake.start()
    for (let count = 0; count < 103; count++) intake.control(8)
    for (const text of ['first', 'second']) send(text)
    await finish(2)
    pass(10_000)
    for (let count = 0; count < 103; count++) intake.control(8)
    for (const text of ['third', 'fourth']) send(text)
    await finish(2)
    expect(frames).toMatchObject([
      { text: 'first', dropped: true },
      { text: 'third', dropped: true },
    ])
  })

  it('handles nothing more after too many frames, and cuts the client once', async () => {
    const { intake, frames, log, decoded, refused, send, finish } = world()
    intake.start()
    for (let count = 0; count < 100_000; count++) send('x')
    expect(log).toEqual(['pause', 'cut'])
    expect([decoded(), refused()]).toEqual([101, 99_900])
    await finish(3)
    expect(frames).toHaveLength(1)
    expect(intake.control(8)).toBe(false)
    expect(log).toEqual(['pause', 'cut'])
  })

  it('handles nothing from a client that was cut, even when the window is over', async () => {
    const { intake, frames, log, pass, send, settle } = world()
    intake.start()
    for (let count = 0; count < 501; count++) send('x')
    pass(60_000)
    for (let count = 0; count < 501; count++) send('y')
    await settle()
    expect(texts(frames)).toEqual(['x'])
    expect(log.filter((line) => line === 'cut')).toHaveLength(1)
    expect(intake.control(8)).toBe(false)
  })

  it('counts control frames too, and answers none above the limit', () => {
    const { intake, log } = world()
    intake.start()
    const answered = Array.from({ length: 500 }, () => intake.control(125)).filter(Boolean)
    expect(answered).toHaveLength(100)
    expect(log).toEqual([])
    intake.control(125)
    expect(log).toEqual(['cut'])
  })

  it('forgets waiting frames and resumes nothing when it is closed while its source is paused', async () => {
    const { intake, frames, log, send, finish } = world()
    intake.start()
    for (let count = 0; count < 40; count++) send('x')
    intake.stop()
    await finish(5)
    for (let count = 0; count < 5; count++) send('y')
    await finish(5)
    expect(frames).toHaveLength(1)
    expect(log).toEqual(['pause'])
    expect(intake.control(8)).toBe(false)
  })

  it('handles nothing when it is started after its end', async () => {
    const { intake, frames, send, settle } = world()
    send('x')
    intake.stop()
    intake.start()
    await settle()
    expect(frames).toEqual([])
  })

  it('continues after a frame that could not be handled, and after a second one', async () => {
    const { intake, frames, log, send, settle } = world({
      handled: ({ text }) => (text === 'good' ? Promise.resolve() : Promise.reject(new Error(`no ${text}`))),
    })
    intake.start()
    for (const text of ['one', 'two', 'good']) send(text)
    await settle()
    await settle()
    expect(log).toEqual(['no one', 'no two'])
    expect(texts(frames)).toEqual(['one', 'two', 'good'])
  })

  it('cuts a client that still sends after the close', () => {
    const { intake, log, send } = world()
    intake.start()
    intake.stop()
    for (let count = 0; count < 501; count++) send('x')
    expect(log).toEqual(['cut'])
  })
})
