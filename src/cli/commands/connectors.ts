// Defines the commands about connectors, with which sites get access tokens.

import * as v from 'valibot'
import { CommandError, type Commands } from '../../runtime/index.ts'
import { secretNotice, table } from './columns.ts'
import { command, type Noun } from './command.ts'
import { ACCOUNT, CONNECTOR, environment, PROJECT, text } from './fields.ts'

const createConnector = command({
  description: 'Creates a connector, with which a site gets access tokens. Its token is shown only once.',
  fields: {
    account: { schema: ACCOUNT, value: 'ws-…', description: 'the account of the connector' },
    project: {
      schema: PROJECT,
      value: 'PROJECT-…',
      description: 'the project that the connector gives access to',
    },
    host: {
      schema: text(
        /^(https?:\/\/)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/,
        'a domain, an origin or the namespace of an app, such as shop.example.com',
      ),
      value: 'shop.example.com',
      description: 'the site that uses the connector',
    },
    environment: environment('the environment of its conversations'),
    'allow-subdomains': {
      schema: v.optional(v.boolean(), false),
      description: 'subdomains of the host may use the connector too',
    },
    'outbound-calling': {
      schema: v.optional(v.boolean(), false),
      description: 'its calling tokens may start calls',
    },
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
    return { connector: { ...connector, revoked: false }, token }
  },
  show: ({ connector, token }) =>
    `${connectorTable([connector])}\n\n${secretNotice('connector token', token)}`,
})

export const connectors: Noun = {
  description: 'connectors, with which sites get access tokens',
  verbs: {
    create: createConnector,
    list: command({
      description: 'Lists the connectors, without their tokens: only hashes are stored.',
      fields: {},
      run: (commands) => commands.connectors(),
      show: (all) => (all.length === 0 ? 'There are no connectors.' : connectorTable(all)),
    }),
    revoke: command({
      description:
        'Revokes a connector: it gets no more access tokens, and the service refuses those it got.',
      fields: { id: { schema: CONNECTOR, description: 'the ID of the connector' } },
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

const connectorTable = (connectors: readonly Connector[]) =>
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
