// Defines the commands about projects, their accounts and their transcripts.

import * as v from 'valibot'
import { CommandError, type Commands } from '../../runtime/index.ts'
import { table } from './columns.ts'
import { type Command, command, type Noun } from './command.ts'
import { PROJECT, slug, text } from './fields.ts'

export const projects: Noun = {
  description: 'projects, and the accounts they are in',
  verbs: {
    create: command({
      description: 'Creates a project, and its account if the project is the first in it.',
      fields: {
        slug: {
          schema: slug('the project'),
          value: 'name',
          description: 'the short name of the project in URLs',
        },
        account: {
          schema: v.optional(
            text(/^ws-[a-z0-9]{8}$/, 'ws- and 8 lowercase letters or digits, such as ws-shop0001'),
          ),
          value: 'ws-…',
          description: 'the account (default: the account with the slug, or a new account)',
        },
        'account-slug': {
          schema: v.optional(slug('the account')),
          value: 'name',
          description: 'the short name of the account; required for a new account',
        },
        id: {
          schema: v.optional(
            text(/^PROJECT-[A-Za-z0-9]{8}$/, 'PROJECT- and 8 letters or digits, such as PROJECT-shop0001'),
          ),
          value: 'PROJECT-…',
          description: 'the ID of the project (default: generated)',
        },
      },
      run: async (commands, { slug, account, 'account-slug': accountSlug, id }) =>
        shownProject(await commands.createProject({ slug, accountId: account, accountSlug, id })),
      show: (project) => projectTable([project]),
    }),
    list: command({
      description: 'Lists the projects.',
      fields: {},
      run: async (commands) => (await commands.projects()).map(shownProject),
      show: (all) => (all.length === 0 ? 'There are no projects.' : projectTable(all)),
    }),
  },
}

export const transcripts: Noun = {
  description: 'whether the API shows transcripts',
  verbs: { on: switchTranscripts(true), off: switchTranscripts(false) },
}

function switchTranscripts(shown: boolean): Command {
  return command({
    description: shown
      ? 'The API shows transcripts.'
      : 'The API lists conversations without their transcripts.',
    fields: { project: { schema: PROJECT, description: 'the ID of the project' } },
    subject: 'project',
    async run(commands, { project }) {
      if (!(await commands.setTranscripts(project, shown))) throw noProject(project)
      return { project, transcripts: shown }
    },
    show: ({ project }) => `The transcripts of ${project} are ${shown ? 'on' : 'off'}.`,
  })
}

export const noProject = (project: string) =>
  new CommandError(`There is no project ${project}. See: projects list`)

type Project = Awaited<ReturnType<Commands['projects']>>[number]

const shownProject = ({ settings: _, ...project }: Project) => ({ ...project })

const projectTable = (projects: readonly ReturnType<typeof shownProject>[]) =>
  table(
    ['ID', 'SLUG', 'ACCOUNT', 'ACCOUNT SLUG', 'TRANSCRIPTS'],
    projects.map((each) => [
      each.id,
      each.slug,
      each.account_id,
      each.account_slug,
      each.transcripts ? 'on' : 'off',
    ]),
  )
