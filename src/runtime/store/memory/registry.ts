import { randomBytes } from 'node:crypto'
import { hashOf, type Project, type Registry } from '../registry.ts'
import type { Locks } from './locks.ts'
import { compare, json, RuleBroken, type Tables } from './tables.ts'

export function createMemoryRegistry(tables: Tables, locks: Locks): Registry {
  const { settings, processes, projects, senders, connectors, keys, rates, sockets, conversations } = tables

  function forget(processId: string): void {
    processes.delete(processId)
    for (const [id, { process_id }] of sockets) if (process_id === processId) sockets.delete(id)
  }

  return {
    async secret(key) {
      const value = settings.get(key) ?? randomBytes(32).toString('base64url')
      settings.set(key, value)
      return value
    },

    async saveProject({ id, slug, account_id, account_slug, transcripts, settings: given }) {
      for (const other of projects.values())
        if (other.id !== id && other.account_id === account_id && other.slug === slug)
          throw new RuleBroken('unique', `the project ${slug} of ${account_id}`)
      projects.set(id, { id, slug, account_id, account_slug, transcripts, settings: json(given) })
    },
    async findProject(account, project) {
      const fitting = [...projects.values()].filter(
        (one) =>
          (one.account_id === account || one.account_slug === account) &&
          (one.id === project || one.slug === project),
      )
      return structuredClone(fitting.find(({ id }) => id === project) ?? fitting[0])
    },
    async findAccount(account) {
      const known = [...projects.values()]
      return known.find((one) => one.account_id === account || one.account_slug === account)?.account_id
    },
    async projects() {
      const order = (a: Project, b: Project) => compare([a.account_id, b.account_id], [a.id, b.id])
      return structuredClone([...projects.values()].sort(order))
    },
    projectOf: async (id) => structuredClone(projects.get(id)),

    async saveSender({ project_id, environment, kind, address }) {
      if (!projects.has(project_id)) throw new RuleBroken('missing', `the project ${project_id}`)
      for (const known of senders)
        if (
          known.project_id === project_id &&
          known.environment === environment &&
          known.kind === kind &&
          known.address === address
        )
          return
      senders.add({ project_id, environment, kind, address })
    },
    async senders(projectId, environment) {
      const own = [...senders].filter(
        (one) => one.project_id === projectId && one.environment === environment,
      )
      return structuredClone(own.sort((a, b) => compare([a.kind, b.kind], [a.address, b.address])))
    },
    async findSender(address) {
      const fitting = [...senders].filter((one) => one.address === address)
      return structuredClone(fitting.sort((a, b) => compare([a.environment, b.environment]))[0])
    },

    async saveConnector(connector, token) {
      const hash = hashOf(token)
      for (const [other, known] of connectors)
        if (other !== connector.id && known.hash === hash)
          throw new RuleBroken('unique', 'a connector of this token')
      const { id, host, allow_subdomains, account_id, project_id, environment, outbound_calling } = connector
      const row = { id, host, allow_subdomains, account_id, project_id, environment, outbound_calling }
      connectors.set(id, { hash, row })
    },
    async findConnector(token) {
      const hash = hashOf(token)
      return structuredClone([...connectors.values()].find((known) => known.hash === hash)?.row)
    },
    async connectorOf(id) {
      const known = connectors.get(id)
      return known?.hash === undefined ? undefined : structuredClone(known.row)
    },
    revokeConnector(id) {
      const own = [...conversations.values()].filter(({ session }) => session.connector_id === id)
      const sessionIds = own.map(({ session }) => session.id)
      // Whoever holds one of its sessions is waited for, or would bring the token back.
      return locks.allAlone(sessionIds, async () => {
        const known = connectors.get(id)
        if (known?.hash === undefined) return false
        connectors.set(id, { hash: undefined, row: { ...known.row, outbound_calling: false } })
        for (const sessionId of sessionIds) {
          const one = conversations.get(sessionId)
          if (one) conversations.set(sessionId, { ...one, session: { ...one.session, token_id: '' } })
        }
        return true
      })
    },
    async connectors() {
      const rows = [...connectors.values()].map(({ hash, row }) => ({ ...row, revoked: hash === undefined }))
      return rows.sort((a, b) => compare([a.id, b.id]))
    },

    async saveKey(key, secret) {
      const hash = hashOf(secret)
      for (const [id, other] of keys)
        if (id !== key.id && other.hash === hash) throw new RuleBroken('unique', 'this key, by another id')
      const { id, kind, name, region, account_id, project_id, connector_id, permissions } = key
      const { created_at, revoked_at } = keys.get(id)?.row ?? key
      const named = { id, kind, name, region, account_id, project_id, connector_id }
      const row = structuredClone({ ...named, permissions, created_at, revoked_at })
      keys.set(id, { hash, row })
    },
    async findKey(secret) {
      const hash = hashOf(secret)
      const found = [...keys.values()].find((one) => one.hash === hash && one.row.revoked_at === null)
      return structuredClone(found?.row)
    },
    async keys() {
      const rows = [...keys.values()].map(({ row }) => row)
      return structuredClone(rows.sort((a, b) => compare([a.created_at, b.created_at], [a.id, b.id])))
    },
    async revokeKey(id, now) {
      const found = keys.get(id)
      if (!found || found.row.revoked_at !== null) return false
      keys.set(id, { ...found, row: { ...found.row, revoked_at: new Date(now) } })
      return true
    },

    async count(key, seconds, now) {
      const start = Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000
      const known = rates.get(key)
      const count = known?.start === start ? known.count + 1 : 1
      rates.set(key, { start, count })
      return { count, wait: Math.ceil((start + seconds * 1000 - now.getTime()) / 1000) }
    },
    async forgetRates(before) {
      for (const [key, { start }] of rates) if (start < before.getTime()) rates.delete(key)
      return []
    },

    async heartbeat(processId, now, deadBefore) {
      processes.set(processId, new Date(now))
      for (const [id, seen] of processes) if (seen < deadBefore && id !== processId) forget(id)
    },
    forgetProcess: async (processId) => forget(processId),

    async addSocket(id, sessionId, processId, most) {
      const own = [...sockets.values()].filter((socket) => socket.session_id === sessionId)
      if (own.length >= most) return false
      if (sockets.has(id)) throw new RuleBroken('unique', `the socket ${id}`)
      if (!conversations.has(sessionId)) throw new RuleBroken('missing', `the session ${sessionId}`)
      if (!processes.has(processId)) throw new RuleBroken('missing', `the process ${processId}`)
      sockets.set(id, { session_id: sessionId, process_id: processId })
      return true
    },
    async removeSocket(id) {
      sockets.delete(id)
    },
  }
}
