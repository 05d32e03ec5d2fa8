// Decides what an API key may do: 401 for the key, then 403 for its scope, then 404 for the project.

import type { Queries } from '../../database/index.ts'
import { HttpError, type ProjectRequest } from '../../http/index.ts'
import { type ApiKey, findKey, type Permission } from '../key-store.ts'
import { findAccount, findProject, type Project } from '../project-store.ts'

/** The runtime key of a request. Refuses build keys, calling tokens and revoked keys. */
export async function authoriseKey(db: Queries, secret: string | undefined): Promise<ApiKey> {
  if (!secret) throw new HttpError(401, 'AUTH_USER_INVALID_TOKEN', 'The API key is missing')
  const apiKey = await findKey(db, secret)
  if (apiKey?.kind === 'build')
    throw new HttpError(
      401,
      'AUTH_USER_INVALID_TOKEN',
      'This is a build key; the runtime API takes runtime keys',
    )
  if (apiKey?.kind !== 'runtime')
    throw new HttpError(401, 'AUTH_USER_INVALID_TOKEN', 'The API key is unknown or revoked')
  return apiKey
}

/** The project that a request names. Refuses a request whose API key is not for that project. */
export async function authoriseProject(
  db: Queries,
  request: ProjectRequest,
  { region, permissions }: { region: string; permissions: readonly Permission[] },
): Promise<Project> {
  const apiKey = await authoriseKey(db, request.secret)
  if (apiKey.region !== region)
    throw new HttpError(
      403,
      'USER_ACCESS_FORBIDDEN',
      `The API key is for the region ${apiKey.region}; this service runs in ${region}`,
    )
  if ((await findAccount(db, request.account)) !== apiKey.account_id)
    throw new HttpError(403, 'USER_ACCESS_FORBIDDEN', 'The API key is for another account')
  const project = await findProject(db, request.account, request.project)
  if (apiKey.project_id !== null && project?.id !== apiKey.project_id)
    throw new HttpError(403, 'USER_ACCESS_FORBIDDEN', 'The API key is for another project')
  const lackingPermission = permissions.find((permission) => !apiKey.permissions.includes(permission))
  if (lackingPermission)
    throw new HttpError(403, 'USER_ACCESS_FORBIDDEN', `The API key lacks the permission ${lackingPermission}`)
  if (!project)
    throw new HttpError(404, 'PROJECT_NOT_FOUND', `There is no project ${request.project} in this account`)
  return project
}
