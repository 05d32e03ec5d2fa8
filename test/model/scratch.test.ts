import fc from 'fast-check'
import { it } from 'vitest'
import { createChat } from '../../src/chat/index.ts'
import { command, profile } from './commands.ts'
import { runSchedule, type Schedule } from './run.ts'
import { shrink } from './shrink.ts'

const schedule = fc.record({
  seed: fc.nat(2 ** 30),
  profile,
  commands: fc.array(command, { minLength: 60, maxLength: 200, size: 'max' }),
})
const skip = new Set((process.env.SKIP ?? '').split(','))
it('counts', async () => {
  const N = Number(process.env.N ?? 50)
  const kinds: Record<string, number> = {}
  const first: Record<string, Schedule> = {}
  const examples: Record<string, string> = {}
  let commands = 0,
    bad = 0
  const t0 = performance.now()
  for (const sample of fc.sample(schedule, { numRuns: N, seed: Number(process.env.SEED ?? 1) })) {
    const given = { ...sample, commands: sample.commands.filter((c) => !skip.has(c.op)) }
    const o = await runSchedule(createChat, given)
    commands += o.ran
    if (o.breaches.length) bad++
    for (const b of new Map(o.breaches.map((b) => [b.kind, b])).values()) {
      kinds[b.kind] = (kinds[b.kind] ?? 0) + 1
      examples[b.kind] ??= b.what
      first[b.kind] ??= given
    }
  }
  console.log(
    JSON.stringify({ N, bad, commands, ms: Math.round(performance.now() - t0), kinds, examples }, null, 1),
  )
  for (const kind of (process.env.SHRINK ?? '').split(',').filter(Boolean)) {
    const given = first[kind]
    if (!given) continue
    const small = await shrink(createChat, given, kind as never, Number(process.env.BUDGET ?? 400))
    console.log(
      `--- ${kind}\n${JSON.stringify(small.profile)} seed ${small.seed}\n${JSON.stringify(small.commands.map((c) => [c.op, c.tab, c.n, c.after]))}`,
    )
    const o = await runSchedule(createChat, small, (line) => console.log(line))
    console.log(o.breaches)
  }
}, 3_600_000)
