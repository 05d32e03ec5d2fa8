// Names a deployment, whose processes have a secret in common, where several share something.

import { createHash } from 'node:crypto'

/** Tells nothing of the secret. */
export const deploymentOf = (secret: string): string =>
  createHash('sha256').update(`foyer deployment ${secret}`).digest('base64url').slice(0, 16)
