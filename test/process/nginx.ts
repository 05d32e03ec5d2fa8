// A real nginx with the server block of the docs: only its addresses and the certificate are others.

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { programOf } from '../needs.ts'
import { snippetWith } from './docs.ts'
import { until } from './until.ts'

/** Listens on `front`, and passes on to the server at `to`. `below`: the folder of its files, which are readable as `access.log` and `error.log`. */
export function startNginx(front: number, to: number, below: string) {
  const documented = snippetWith('nginx', 'proxy_pass http://127.0.0.1:4700')
  return runNginx(front, documented.replaceAll('http://127.0.0.1:4700', `http://127.0.0.1:${to}`), below)
}

/** As above, with what the documents say about `http`. */
export async function runNginx(front: number, documented: string, below: string) {
  const file = join(below, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${below}/${name};`)
    .join('\n')
  const server = documented
    .replace('listen 443 ssl;', `listen 127.0.0.1:${front};`)
    .replace(/^ *ssl_.*\n/gm, '')
  // The logs are those of Debian's and of nginx's own settings.
  writeFileSync(
    file,
    `pid ${below}/nginx.pid; error_log ${below}/error.log; events {}
http {
  access_log ${below}/access.log;
  ${temporary}
${server}
}
`,
  )
  const checked = spawnSync(programOf('nginx'), ['-t', '-c', file, '-p', below], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`nginx refuses its settings: ${checked.stderr}`)
  const child = spawn(programOf('nginx'), ['-c', file, '-p', below, '-g', 'daemon off;'], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  // A request would lead on to servers that may not run yet, which nginx then leaves alone for a while.
  await until(
    () => 'nginx does not listen',
    () =>
      new Promise<boolean>((resolve) => {
        const probe = connect(front, '127.0.0.1')
        probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
        probe.once('connect', () => probe.destroy())
      }),
  )
  return {
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
