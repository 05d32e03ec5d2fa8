// The commands that the docs give to Docker and systemd: a signal to the process that they start reaches the server.

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort, printed } from '../browser/world.ts'
import { some } from '../long.ts'
import { snippetWith } from './docs.ts'
import { root, useFolder, visitor } from './starts.ts'

const PACKAGE = join(root, 'dist/foyer-server')
const dockerfile = snippetWith('dockerfile', 'CMD [')
const unit = snippetWith('ini', 'ExecStart=')

const folder = useFolder()
/** The folder as `npm install foyer-server` leaves it, with documents. */
beforeEach(() => {
  const { bin } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
  }
  mkdirSync(folder.path('node_modules/.bin'), { recursive: true })
  symlinkSync(PACKAGE, folder.path('node_modules/foyer-server'))
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(PACKAGE, file), 0o755)
    symlinkSync(join('../foyer-server', file), folder.path(`node_modules/.bin/${name}`))
  }
  symlinkSync(join(root, 'test/browser/documents'), folder.path('docs'))
})

/** The words of an instruction of the Dockerfile in its exec form. */
function inDockerfile(instruction: RegExp): string[] {
  const [, words = ''] = instruction.exec(dockerfile) ?? []
  return JSON.parse(words) as string[]
}
const COMMANDS = {
  Dockerfile: () => inDockerfile(/^CMD (\[.*\])$/m),
  unit() {
    const [, place = ''] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? []
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
    return command.replaceAll(place, folder.path()).split(' ')
  },
}

it('the unit starts the program of the Dockerfile', () => {
  const [program = '', ...args] = COMMANDS.Dockerfile()
  expect(COMMANDS.unit()).toEqual([folder.path(program), ...args])
})

describe.each(some(Object.entries(COMMANDS), 2))('the command of the %s', (_, command) => {
  it('ends cleanly by SIGTERM: visitors hear 1001, the exit code is 0, and nothing is left behind', async () => {
    const port = await freePort()
    const [program = '', ...args] = command()
    const child = spawn(program, args, {
      cwd: folder.path(),
      // A group of its own: whatever a command leaves behind ends with the test.
      detached: true,
      env: { ...process.env, PORT: String(port), FOYER_DEMO: '1', FOYER_DATA: 'memory', HOST: '0.0.0.0' },
    })
    try {
      const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
      let said = ''
      child.stderr.on('data', (part) => {
        said += String(part)
      })
      await printed(child, /Foyer is ready/)
      expect(healthOf(port)).toBe(0)
      const person = visitor(`http://localhost:${port}`)
      await person.token(false)
      const client = await person.connect(await person.session(), 0)
      const closed = new Promise((resolve) => client.socket.on('close', resolve))
      child.kill('SIGTERM')
      expect(await closed).toBe(1001)
      expect(await ended).toBe(0)
      expect(said).toMatch(/Stopping on SIGTERM, within \d+ s\n(.*\n)*Stopped after [\d.]+ s\n/)
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
      expect(healthOf(port)).toBe(1)
    } finally {
      endGroup(child.pid)
    }
  })
})

/** The exit code of the image's health check, for the server at `port`. */
function healthOf(port: number): number | null {
  const [program = '', ...args] = inDockerfile(/^HEALTHCHECK .*CMD (\[.*\])$/m)
  return spawnSync(
    program,
    args.map((each) => each.replace('4700', String(port))),
  ).status
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Everybody in it has ended.
  }
}
