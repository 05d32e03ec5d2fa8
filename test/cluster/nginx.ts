// A real nginx before several processes, which passes requests and sockets on to each in turn.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from '../../scripts/at-exit.mjs'
import { freePort } from '../browser/world.ts'
import { programOf } from '../needs.ts'
import { until } from '../process/until.ts'

/** Seconds. A process that stands still takes connections all the same: the requests go to the next one after this time. */
const ANSWER = 5

export async function openNginx(ports: readonly number[]) {
  const below = mkdtempSync(join(tmpdir(), 'foyer-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${below}/${name};`)
    .join('\n  ')
  const file = join(below, 'nginx.conf')
  writeFileSync(
    file,
    `pid ${below}/nginx.pid;
error_log ${below}/error.log;
worker_rlimit_nofile 20000;
events { worker_connections 10000; }
http {
  access_log off;
  ${temporary}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream foyer {
    ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_connect_timeout ${ANSWER}s;
    proxy_next_upstream error timeout http_503;
    location / {
      proxy_pass http://foyer;
      proxy_read_timeout ${ANSWER}s;
    }
    location /ws {
      proxy_pass http://foyer;
      proxy_read_timeout 3600s;
    }
  }
}
`,
  )
  const checked = spawnSync(programOf('nginx'), ['-t', '-c', file, '-p', below], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`nginx refuses its settings: ${checked.stderr}`)
  // A group of its own, so that all its processes can be stopped together.
  const begin = async () => {
    const child = spawn(programOf('nginx'), ['-c', file, '-p', below, '-g', 'daemon off;'], {
      stdio: 'ignore',
      detached: true,
    })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    const signal = (name: NodeJS.Signals) => void process.kill(-(child.pid ?? 0), name)
    const end = () => signal('SIGKILL')
    const forget = atExit(end)
    await until(
      () => 'nginx does not answer',
      () =>
        fetch(`http://127.0.0.1:${port}/foyer/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
    )
    return {
      signal,
      async stop() {
        forget()
        end()
        await ended
      },
    }
  }
  let nginx = await begin()
  return {
    port,
    /** The way between clients and processes is silent for a while; then every connection breaks. */
    async cut(ms: number) {
      nginx.signal('SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      await nginx.stop()
      nginx = await begin()
    },
    async close() {
      await nginx.stop()
      rmSync(below, { recursive: true, force: true })
    },
  }
}
