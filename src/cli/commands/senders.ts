// Defines the commands about the senders of projects.

import * as v from 'valibot'
import { CommandError } from '../../runtime/index.ts'
import { table } from './columns.ts'
import { command, type Noun } from './command.ts'
import { environment, NUMBER, oneOf, PROJECT, text } from './fields.ts'
import { noProject } from './projects.ts'

const SENDER_KINDS = ['sms', 'rcs'] as const
const ADDRESS = text(/^\S{1,100}$/, 'a phone number such as +15005550006, or the ID of an RCS sender')

export const senders: Noun = {
  description: 'phone numbers and RCS senders of a project',
  verbs: {
    add: command({
      description: 'Adds a number or an RCS sender to a project.',
      fields: {
        address: { schema: ADDRESS, description: 'a phone number, or the ID of an RCS sender' },
        project: { schema: PROJECT, value: 'PROJECT-…', description: 'the project of the sender' },
        environment: environment('the environment that uses it'),
        kind: {
          schema: v.optional(oneOf(SENDER_KINDS)),
          value: SENDER_KINDS.join('|'),
          description: 'default: sms for a number, else rcs',
        },
      },
      subject: 'address',
      async run(commands, { address, project, environment, kind }) {
        const number = v.safeParse(NUMBER, address)
        if (kind === 'sms' && !number.success)
          throw new CommandError(`<address> is "${address}". It must be ${number.issues[0].message}.`)
        const sender = {
          project_id: project,
          environment,
          kind: kind ?? (number.success ? 'sms' : 'rcs'),
          address: number.success ? number.output : address,
        }
        await commands.saveSender(sender)
        return sender
      },
      show: (sender) => senderTable([sender]),
    }),
    list: command({
      description: 'Lists the senders.',
      fields: {
        project: {
          schema: v.optional(PROJECT),
          value: 'PROJECT-…',
          description: 'senders of this project only (default: all)',
        },
      },
      async run(commands, { project }) {
        const projectIds = (await commands.projects()).map(({ id }) => id)
        if (project !== undefined && !projectIds.includes(project)) throw noProject(project)
        const sendersOfEach = (project === undefined ? projectIds : [project]).map((each) =>
          commands.senders(each),
        )
        return (await Promise.all(sendersOfEach)).flat()
      },
      show: (all) => (all.length === 0 ? 'There are no senders.' : senderTable(all)),
    }),
  },
}

const senderTable = (
  senders: readonly { address: string; kind: string; project_id: string; environment: string }[],
) =>
  table(
    ['ADDRESS', 'KIND', 'PROJECT', 'ENVIRONMENT'],
    senders.map((each) => [each.address, each.kind, each.project_id, each.environment]),
  )
