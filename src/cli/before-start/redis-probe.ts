// Probes the Redis server of REDIS_URL: whether what one connection publishes arrives at another.

import { randomBytes } from 'node:crypto'
import { openRedis, type Redis } from '../redis.ts'
import { isExplained } from '../start-error.ts'
import { type Finding, notChecked, ok, problem } from './finding.ts'

const PATIENCE_MS = 5_000

export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (!url) return notChecked('REDIS_URL is not set: processes tell each other by the database.')
  let sender: Redis
  try {
    sender = await openRedis(url, () => {})
  } catch (error) {
    return problem(
      isExplained(error) ? error.message : 'REDIS_URL is not the address of a Redis server. Correct it.',
    )
  }
  const listener = sender.duplicate()
  listener.on('error', () => {})
  try {
    if (!sender.isReady) return problem('Redis does not answer. Start it, or correct REDIS_URL.')
    const [, version = '0'] = /redis_version:(\S+)/.exec(await sender.info('server')) ?? []
    await listener.connect()
    if (!(await arrives(listener, sender)))
      return problem('Redis does not deliver what is published. Let its user publish and subscribe.')
    return ok(`Redis ${version} answers, and delivers what is published.`)
  } catch {
    return problem(
      'Redis refuses to publish or subscribe. Let its user do so for all channels that begin with foyer.',
    )
  } finally {
    for (const client of [sender, listener]) if (client.isOpen) client.destroy()
  }
}

/** Whether a text arrives within seconds. */
async function arrives(listener: Redis, sender: Redis): Promise<boolean> {
  const channel = `foyer:check:${randomBytes(6).toString('hex')}`
  let late: ReturnType<typeof setTimeout> | undefined
  let hear = () => {}
  const heard = new Promise<boolean>((resolve) => {
    hear = () => resolve(true)
    late = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  await listener.subscribe(channel, hear)
  await sender.publish(channel, '')
  const answer = await heard
  clearTimeout(late)
  return answer
}
