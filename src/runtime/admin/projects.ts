// Creates projects and their accounts, and saves their senders. Each ID and slug is unique.

import {
  findSender,
  listProjects,
  lockProjects,
  type Project,
  projectOf,
  type Sender,
  saveProject as storeProject,
  saveSender as storeSender,
  switchTranscripts,
} from '../accounts/index.ts'
import type { Database, Queries } from '../database/index.ts'
import { type AdminContext, shortId } from './context.ts'
import { CommandError, type NewProject, type ProjectOptions } from './options.ts'

/** Creates a project, and its account if the project is the first in it. */
export const createProject = (
  database: Database,
  { uuid }: AdminContext,
  options: NewProject,
): Promise<Project> =>
  database.transaction(async (tx) => {
    // Two commands at once must not both find an ID or a slug free.
    await lockProjects(tx)
    const project = await newProject(tx, uuid, options)
    await storeProject(tx, project)
    return project
  })

/** Rejects with a CommandError if an ID or a slug belongs to another project or account. */
async function newProject(tx: Queries, uuid: () => string, options: NewProject): Promise<Project> {
  const { slug } = options
  if (options.accountId === undefined && options.accountSlug === undefined)
    throw new CommandError('Name the account with --account, or a new one with --account-slug.')
  const projects = await listProjects(tx)
  const account = projects.find((project) =>
    options.accountId === undefined
      ? project.account_slug === options.accountSlug
      : project.account_id === options.accountId,
  )
  const id = options.id ?? `PROJECT-${shortId(uuid)}`
  const accountId = options.accountId ?? account?.account_id ?? `ws-${shortId(uuid)}`
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

/** Saves a project that the options of the runtime name, with its senders. */
export async function saveProject({ db }: AdminContext, options: ProjectOptions): Promise<Project> {
  const { id, slug, accountId, accountSlug, senders = [], transcripts, ...settings } = options
  // Every start saves these projects again. Transcripts that a command has switched off stay off.
  const project = await storeProject(db, {
    id,
    slug,
    account_id: accountId,
    account_slug: accountSlug,
    transcripts,
    settings,
  })
  for (const sender of senders) await storeSender(db, { project_id: id, ...sender })
  return project
}

/** Switches whether the API shows transcripts. False if there is no such project. */
export const setTranscripts = (
  { db }: AdminContext,
  projectId: string,
  transcripts: boolean,
): Promise<boolean> => switchTranscripts(db, projectId, transcripts)

/** Saves a sender: an address belongs to one project and environment, so that inbound messages can be routed. */
export async function saveSender({ db }: AdminContext, sender: Sender): Promise<void> {
  const { project_id, environment, address } = sender
  if (!(await projectOf(db, project_id))) throw new CommandError(`There is no project ${project_id}.`)
  const knownSender = await findSender(db, address)
  if (knownSender && (knownSender.project_id !== project_id || knownSender.environment !== environment))
    throw new CommandError(
      `${address} is a sender of ${knownSender.project_id} in ${knownSender.environment}: inbound messages could not be routed.`,
    )
  await storeSender(db, sender)
}
