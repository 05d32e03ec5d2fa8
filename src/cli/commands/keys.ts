// Defines the commands about API keys.

import * as v from 'valibot'
import { CommandError, type Commands, type KeyOptions, PERMISSIONS } from '../../runtime/index.ts'
import { secretNotice, table } from './columns.ts'
import { command, type Noun } from './command.ts'
import { ACCOUNT, CONNECTOR, id, oneOf, PROJECT, text } from './fields.ts'

const KEY_KINDS = ['runtime', 'build', 'calling'] as const satisfies readonly KeyOptions['kind'][]
const NAMED_PERMISSIONS = v.pipe(
  v.string('permissions, separated by commas'),
  v.transform((names) => names.split(',').map((name) => name.trim())),
  v.array(oneOf(PERMISSIONS)),
)

const createKey = command({
  description: 'Creates a key. Its secret is shown only once.',
  fields: {
    account: { schema: ACCOUNT, value: 'ws-…', description: 'the account of the key' },
    kind: {
      schema: v.optional(oneOf(KEY_KINDS)),
      value: KEY_KINDS.join('|'),
      description: 'for the runtime API, for a build API, or for outbound calls (default: runtime)',
    },
    project: {
      schema: v.optional(PROJECT),
      value: 'PROJECT-…',
      description: 'for this project only (default: all)',
    },
    connector: {
      schema: v.optional(CONNECTOR),
      value: 'CON-…',
      description: 'calling tokens only: the connector of the calls',
    },
    permissions: {
      schema: v.optional(NAMED_PERMISSIONS),
      value: 'a,b',
      description: `runtime keys only: some of ${PERMISSIONS.join(', ')} (default: all)`,
    },
    region: {
      schema: v.optional(text(/^[a-z0-9][a-z0-9-]{0,31}$/, 'the name of a region such as euw-1')),
      value: 'name',
      description: 'the region in which the key is valid (default: the region of the server)',
    },
    name: {
      schema: v.optional(text(/^.{1,100}$/, 'up to 100 characters')),
      value: 'text',
      description: 'a name by which you recognise the key',
    },
  },
  async run(commands, { account, project, connector, ...more }) {
    const { key, secret } = await commands.createKey({
      accountId: account,
      projectId: project,
      connectorId: connector,
      ...more,
    })
    return { key: shownKey(key), secret }
  },
  show: ({ key, secret }) => `${keyTable([key])}\n\n${secretNotice('key', secret)}`,
})

export const keys: Noun = {
  description: 'API keys',
  verbs: {
    create: createKey,
    list: command({
      description: 'Lists the keys, without their secrets: only hashes are stored.',
      fields: {},
      run: async (commands) => (await commands.keys()).map(shownKey),
      show: (keys) => (keys.length === 0 ? 'There are no keys.' : keyTable(keys)),
    }),
    revoke: command({
      description: 'Revokes a key: requests with it get 401.',
      fields: {
        id: { schema: id('the ID of a key such as KEY-1a2b3c4d'), description: 'the ID of the key' },
      },
      subject: 'id',
      async run(commands, { id }) {
        if (!(await commands.revokeKey(id)))
          throw new CommandError(`There is no key ${id}, or it was revoked before. See: keys list`)
        return { id, revoked: true }
      },
      show: ({ id }) => `${id} is revoked.`,
    }),
  },
}

type Key = Awaited<ReturnType<Commands['keys']>>[number]

const shownKey = ({ created_at, revoked_at, ...key }: Key) => ({
  ...key,
  created_at: created_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
})

const keyTable = (keys: readonly ReturnType<typeof shownKey>[]) =>
  table(
    ['ID', 'KIND', 'ACCOUNT', 'FOR', 'REGION', 'PERMISSIONS', 'STATE', 'NAME'],
    keys.map((key) => [
      key.id,
      key.kind,
      key.account_id,
      key.connector_id ?? key.project_id ?? 'all',
      key.region,
      key.permissions.length === PERMISSIONS.length ? 'all' : key.permissions.join(',') || 'none',
      key.revoked_at === null ? `since ${day(key.created_at)}` : `revoked ${day(key.revoked_at)}`,
      key.name,
    ]),
  )

const day = (time: string): string => time.slice(0, 10)
