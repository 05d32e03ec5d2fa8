// Creates projects and their accounts, and saves their senders. Each ID and slug is unique.

import { type Database, inTransaction } from '../database/index.ts'
import { CommandError } from './command-error.ts'
import {
  findSender,
  listProjects,
  lockProjects,
  type Project,
  type ProjectSettings,
  projectOf,
  type Sender,
  saveProject,
  saveSender,
  sendersOf,
  switchTranscripts,
} from './project-store.ts'

/** A project, which the API document also calls the agent. */
export type ProjectOptions = {
  /** `PROJECT-` and 8 characters. */
  id: string
  /** The name of the project in addresses of the API. */
  slug: string
  /** `ws-` and 8 characters. */
  accountId: string
  /** The name of the account in addresses of the API. */
  accountSlug: string
  /** Whether the API shows transcripts. Default true. */
  transcripts?: boolean
  /** Sender numbers and RCS senders by environment. */
  senders?: readonly { environment: string; kind: 'sms' | 'rcs'; address: string }[]
} & ProjectSettings

/** A project that a command creates. */
export type NewProject = {
  /** Default: a generated ID. */
  id?: string | undefined
  slug: string
  /** Default: the account that has the slug, or a new one. */
  accountId?: string | undefined
  /** Default: the slug of the account. */
  accountSlug?: string | undefined
}

/** Commands on projects. */
export interface ProjectCommands {
  projects(): Promise<Project[]>
  /** Creates a project, and its account if the project is the first in it. */
  createProject(options: NewProject): Promise<Project>
  /** Saves a project that the options of the runtime name, with its senders. */
  saveProject(options: ProjectOptions): Promise<Project>
  /** Switches whether the API shows transcripts. False if there is no such project. */
  setTranscripts(projectId: string, transcripts: boolean): Promise<boolean>
  /** Saves a sender: an address belongs to one project and environment, so that inbound messages can be routed. */
  saveSender(sender: Sender): Promise<void>
  /** The senders of a project, in all environments. */
  senders(projectId: string): Promise<Sender[]>
}

export type ProjectsOptions = { database: Database; shortId: () => string }

export function createProjects({ database, shortId }: ProjectsOptions): ProjectCommands {
  return {
    projects: () => listProjects(database),

    createProject: (options) =>
      inTransaction(database, 'create a project', async (tx) => {
        // Two commands at once must not both find an ID or a slug free.
        await lockProjects(tx)
        return saveProject(tx, newProject(options, await listProjects(tx), shortId))
      }),

    async saveProject(options) {
      const { id, slug, accountId, accountSlug, senders = [], transcripts, ...settings } = options
      // Every start saves these projects again. Transcripts that a command has switched off stay off.
      const project = await saveProject(database, {
        id,
        slug,
        account_id: accountId,
        account_slug: accountSlug,
        transcripts,
        settings,
      })
      for (const sender of senders) await saveSender(database, { project_id: id, ...sender })
      return project
    },

    setTranscripts: (projectId, transcripts) => switchTranscripts(database, projectId, transcripts),

    async saveSender(sender) {
      const { project_id, environment, address } = sender
      if (!(await projectOf(database, project_id)))
        throw new CommandError(`There is no project ${project_id}.`)
      const knownSender = await findSender(database, address)
      if (knownSender && (knownSender.project_id !== project_id || knownSender.environment !== environment))
        throw new CommandError(
          `${address} is a sender of ${knownSender.project_id} in ${knownSender.environment}: inbound messages could not be routed.`,
        )
      await saveSender(database, sender)
    },

    senders: (projectId) => sendersOf(database, projectId),
  }
}

/** Throws a CommandError if one of `projects` has the ID or a slug already. */
function newProject(options: NewProject, projects: readonly Project[], shortId: () => string): Project {
  const { slug } = options
  if (options.accountId === undefined && options.accountSlug === undefined)
    throw new CommandError('Name the account with --account, or a new one with --account-slug.')
  const account = projects.find((project) =>
    options.accountId === undefined
      ? project.account_slug === options.accountSlug
      : project.account_id === options.accountId,
  )
  const id = options.id ?? `PROJECT-${shortId()}`
  const accountId = options.accountId ?? account?.account_id ?? `ws-${shortId()}`
  const accountSlug = options.accountSlug ?? account?.account_slug
  if (projects.some((project) => project.id === id))
    throw new CommandError(`The project ${id} exists already. Choose another ID.`)
  if (accountSlug === undefined)
    throw new CommandError(`The account ${accountId} is new: give it a slug with --account-slug.`)
  if (account && account.account_slug !== accountSlug)
    throw new CommandError(
      `The account ${accountId} has the slug ${account.account_slug}. Give that slug, or omit --account-slug.`,
    )
  // A path names an account by its ID or by its slug.
  const slugTaken = projects.some(
    (project) =>
      project.account_id !== accountId && [project.account_slug, project.account_id].includes(accountSlug),
  )
  if (slugTaken || (/^ws-[a-z0-9]{8}$/.test(accountSlug) && accountSlug !== accountId))
    throw new CommandError(`The slug ${accountSlug} belongs to another account. Choose another slug.`)
  if (projects.some((project) => project.account_id === accountId && project.slug === slug))
    throw new CommandError(
      `The account ${accountId} has a project with the slug ${slug} already. Choose another slug.`,
    )
  return {
    id,
    slug,
    account_id: accountId,
    account_slug: accountSlug,
    transcripts: true,
    settings: {},
  }
}
