// A real Redis server of a test's own, which keeps nothing on the disk.

import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { freePort } from '../browser/world.ts'
import { programOf } from '../needs.ts'
import { until } from './until.ts'

/** `start` again after `stop` is the same address. `pause` is a server that does not answer and closes nothing. */
export async function startRedis(password = 'a-password-of-redis') {
  const program = programOf('Redis')
  const port = await freePort()
  let child: ChildProcess | undefined
  let ended: Promise<unknown> | undefined
  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--requirepass', password]
    child = spawn(program, args, { stdio: 'ignore' })
    ended = new Promise((resolve) => child?.on('exit', resolve))
    await until(
      () => 'redis-server does not listen',
      () =>
        new Promise<boolean>((resolve) => {
          const probe = connect(port, '127.0.0.1')
          const answer = (listens: boolean) => () => {
            probe.destroy()
            resolve(listens)
          }
          probe.once('connect', answer(true)).once('error', answer(false))
        }),
    )
  }
  await start()
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    port,
    start,
    pause: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
    async stop() {
      child?.kill('SIGKILL')
      await ended
    },
  }
}
