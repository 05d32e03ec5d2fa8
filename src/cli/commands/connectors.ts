// Connectors: what a site has to show for itself.

import * as v from 'valibot'
import { CommandError, type Commands } from '../../runtime/index.ts'
import { once, table } from './columns.ts'
import { command, type Noun } from './command.ts'
import { ACCOUNT, CONNECTOR, environment, PROJECT, text } from './fields.ts'

const createConnector = command({
  says: 'Makes a connector, with which a site gets access tokens. Its token is shown this once.',
  fields: {
    account: { schema: ACCOUNT, value: 'ws-…', says: 'whose connector it is' },
    project: { schema: PROJECT, value: 'PROJECT-…', says: 'which project it opens' },
    host: {
      schema: text(
        /^(https?:\/\/)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/,
        'a domain, an origin or the namespace of an app, as shop.example.com',
      ),
      value: 'shop.example.com',
      says: 'the site that may use it',
    },
    environment: environment('where its conversations are listed'),
    'allow-subdomains': {
      schema: v.optional(v.boolean(), false),
      says: 'subdomains of the host may use it too',
    },
    'outbound-calling': { schema: v.optional(v.boolean(), false), says: 'its calling keys may make calls' },
  },
  async run(commands, { account, project, host, environment, ...switches }) {
    const { connector, token } = await commands.createConnector({
      accountId: account,
      projectId: project,
      host,
      environment,
      allowSubdomains: switches['allow-subdomains'],
      outboundCalling: switches['outbound-calling'],
    })
    return { connector: connectorOf({ ...connector, revoked: false }), token }
  },
  show: ({ connector, token }) => `${connectorTable([connector])}\n\n${once('connector token', token)}`,
})

export const connectors: Noun = {
  says: 'connectors: what a site has to show for itself',
  verbs: {
    create: createConnector,
    list: command({
      says: 'Lists the connectors, without their tokens: those are stored nowhere.',
      fields: {},
      run: async (commands) => (await commands.connectors()).map(connectorOf),
      show: (all) => (all.length === 0 ? 'There are no connectors.' : connectorTable(all)),
    }),
    revoke: command({
      says: 'Revokes a connector: from now on it gets no access tokens, and those it got are refused.',
      fields: { id: { schema: CONNECTOR, says: 'the ID of the connector' } },
      subject: 'id',
      async run(commands, { id }) {
        if (!(await commands.revokeConnector(id)))
          throw new CommandError(
            `There is no connector ${id}, or it was revoked before. See: connectors list`,
          )
        return { id, revoked: true }
      },
      show: ({ id }) => `${id} is revoked.`,
    }),
  },
}

type Connector = Awaited<ReturnType<Commands['connectors']>>[number]

const connectorOf = (connector: Connector) => ({ ...connector })

const connectorTable = (connectors: readonly ReturnType<typeof connectorOf>[]) =>
  table(
    ['ID', 'HOST', 'ACCOUNT', 'PROJECT', 'ENVIRONMENT', 'STATE'],
    connectors.map((each) => [
      each.id,
      each.allow_subdomains ? `${each.host} and subdomains` : each.host,
      each.account_id,
      each.project_id,
      each.environment,
      each.revoked ? 'revoked' : each.outbound_calling ? 'chat and calls' : 'chat',
    ]),
  )
