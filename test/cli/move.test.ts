// `foyer-server move` takes no folder: what is named beside it is not what would be moved.

import { expect, it } from 'vitest'
import { runBeforeStart } from '../../src/cli/before-start/index.ts'
import { MOVE_HELP } from '../../src/cli/before-start/move.ts'

async function run(...args: string[]) {
  const printed: string[] = []
  const code = await runBeforeStart({
    args: ['move', ...args],
    // Nobody answers there: whoever begins to move fails.
    env: { FOYER_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    folder: '/nowhere/.foyer',
    built: '/nowhere',
    print: (text) => printed.push(text),
    log() {},
  })
  return { code, printed }
}

it.each([['docs'], ['--help']])(
  '`move %s` moves nothing, and says what the command does',
  async (argument) => {
    expect(await run(argument)).toEqual({ code: 0, printed: [MOVE_HELP] })
  },
)

it('`move` alone begins to move', async () => {
  await expect(run()).rejects.toThrow()
})
