// Stores projects, their accounts and their senders.

import type { Queries } from '../database/index.ts'

/** A variant of the agent, between which conversations are divided. */
export type Variant = { id: string; name: string }

/** The settings of a project's desk. */
export type DeskSettings = {
  /** Seconds without a sign of life after which a live agent is gone. Default 60. */
  goneSeconds?: number
  /** Seconds after which a visitor who waits for a live agent's answer is offered to the next. Default 300. */
  answerSeconds?: number
  /** The most conversations of one live agent. Default 4. */
  chats?: number
  /** Whether a handoff is refused while nobody is at the desk. Default true. */
  refuse?: boolean
  /** The text that a visitor reads whose handoff is refused. Default: an English sentence. */
  nobody?: string
}
export const DEFAULT_DESK_SETTINGS = { goneSeconds: 60, answerSeconds: 300, chats: 4 } as const

/**
 * What tells the user of a phone, in the agent's first message, that a machine answers: a text for each language, `*` for the languages
 * that are missing; `off`: nothing does.
 */
export type DisclosureSetting = 'off' | Readonly<Record<string, string>>

/** The settings of a project. */
export type ProjectSettings = {
  /** Each new conversation gets one of the variants. */
  variants?: readonly Variant[]
  /** Messages a minute that the API takes. Default: 60. */
  smsPerMinute?: number
  /** Calls a minute that the API takes. Default: 60. */
  callsPerMinute?: number
  /** The most calls of the account at the same time. Default: that of the runtime. */
  callsAtOnce?: number
  /** The language of conversations that begin without one of their own, such as `en-GB`. */
  language?: string
  /** The settings of the desk. */
  desk?: DeskSettings
  /** What SMS, RCS and calls say about the agent. Default: that of the runtime. */
  disclosure?: DisclosureSetting
}

/** A project as it is stored. */
export type Project = {
  id: string
  slug: string
  account_id: string
  account_slug: string
  /** Whether the API shows transcripts. */
  transcripts: boolean
  settings: ProjectSettings
}

/** A phone number or RCS sender: the project sends messages from it and receives messages at it. */
export type Sender = { project_id: string; environment: string; kind: 'sms' | 'rcs'; address: string }

/** `transcripts` undefined: as they are, on in a new project. */
export type SavedProject = Omit<Project, 'transcripts'> & { transcripts?: boolean | undefined }

export async function saveProject(db: Queries, project: SavedProject): Promise<Project> {
  const [saved] = await db.query<Project>(
    `INSERT INTO foyer.project AS p (id, slug, account_id, account_slug, transcripts, settings)
     VALUES ($1, $2, $3, $4, coalesce($5::boolean, true), $6::jsonb) ON CONFLICT (id) DO UPDATE SET slug = excluded.slug,
       account_id = excluded.account_id, account_slug = excluded.account_slug,
       transcripts = coalesce($5::boolean, p.transcripts), settings = excluded.settings
     RETURNING *`,
    [
      project.id,
      project.slug,
      project.account_id,
      project.account_slug,
      project.transcripts ?? null,
      JSON.stringify(project.settings),
    ],
  )
  if (!saved) throw new Error(`The project ${project.id} could not be saved`)
  return saved
}

/** False if there is no such project. */
export async function switchTranscripts(db: Queries, id: string, transcripts: boolean): Promise<boolean> {
  const rows = await db.query('UPDATE foyer.project SET transcripts = $2 WHERE id = $1 RETURNING id', [
    id,
    transcripts,
  ])
  return rows.length > 0
}

/** Keeps the list of projects as it is until the transaction ends, except for the changes of this transaction. */
export async function lockProjects(tx: Queries): Promise<void> {
  await tx.query('LOCK TABLE foyer.project IN SHARE ROW EXCLUSIVE MODE')
}

/** Finds a project by ID or slug, in an account named by ID or slug. */
export async function findProject(
  db: Queries,
  account: string,
  project: string,
): Promise<Project | undefined> {
  const [foundProject] = await db.query<Project>(
    `SELECT * FROM foyer.project WHERE (account_id = $1 OR account_slug = $1) AND (id = $2 OR slug = $2)
     ORDER BY id = $2 DESC LIMIT 1`,
    [account, project],
  )
  return foundProject
}

/** The ID of the account that `account` names by ID or slug. */
export async function findAccount(db: Queries, account: string): Promise<string | undefined> {
  const [found] = await db.query<{ account_id: string }>(
    'SELECT account_id FROM foyer.project WHERE account_id = $1 OR account_slug = $1 LIMIT 1',
    [account],
  )
  return found?.account_id
}

export const listProjects = (db: Queries): Promise<Project[]> =>
  db.query<Project>('SELECT * FROM foyer.project ORDER BY account_id, id')

export async function projectOf(db: Queries, id: string): Promise<Project | undefined> {
  const [foundProject] = await db.query<Project>('SELECT * FROM foyer.project WHERE id = $1', [id])
  return foundProject
}

export async function saveSender(db: Queries, sender: Sender): Promise<void> {
  await db.query(
    `INSERT INTO foyer.sender (project_id, environment, kind, address) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [sender.project_id, sender.environment, sender.kind, sender.address],
  )
}

/** The senders of a project, in every environment if none is given. */
export const sendersOf = (db: Queries, projectId: string, environment?: string): Promise<Sender[]> =>
  db.query<Sender>(
    `SELECT * FROM foyer.sender WHERE project_id = $1 AND environment = coalesce($2, environment)
     ORDER BY environment, kind, address`,
    [projectId, environment ?? null],
  )

/** Finds the sender with this address. */
export async function findSender(db: Queries, address: string): Promise<Sender | undefined> {
  const [sender] = await db.query<Sender>(
    'SELECT * FROM foyer.sender WHERE address = $1 ORDER BY environment LIMIT 1',
    [address],
  )
  return sender
}
