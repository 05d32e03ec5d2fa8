// Locks a data folder for one process: two PGlite processes on one folder lose acknowledged rows silently, so the
// second refuses to start. A stale lock is recognised by pid and start time, since systems reuse pids.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../api/index.ts'

type Holder = { pid: number; started: string }

/**
 * Thrown if the data is in use, cannot be written, or was written by another build. The message gives the reason and the
 * next step.
 */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
  /** `busy`: another process holds the data, and may end. In the other cases the operator has to act. `blocked`: its tables are in use. */
  readonly reason: 'busy' | 'unwritable' | 'other-build' | 'blocked'

  constructor(reason: DataFolderError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const OTHERS = 0o077

/**
 * Locks `folder` (created if missing) for this process and closes it to other users; returns the release. Throws a
 * DataFolderError.
 */
export function lockFolder(folder: string, log: Log = () => {}): () => void {
  const path = join(folder, 'lock')
  const ownHolder: Holder = { pid: process.pid, started: processStart(process.pid) ?? 'unknown' }
  const lockDraft = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    restrictFolder(folder, log)
    writeFileSync(lockDraft, JSON.stringify(ownHolder))
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new DataFolderError(
      'unwritable',
      `The data folder ${folder} cannot be written (${cause}). Give this user write access to it, or set FOYER_DATA=memory.`,
    )
  }
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // link() is atomic: no process sees a lock half written.
        linkSync(lockDraft, path)
        return () => releaseLock(path, ownHolder)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = readHolder(path)
      if (holder && isAlive(holder))
        throw new DataFolderError(
          'busy',
          `The data folder ${folder} is in use by process ${holder.pid}. Stop that process, or start in another folder.`,
        )
      putStaleLockAside(path, holder)
    }
    throw new DataFolderError(
      'busy',
      `The data folder ${folder} is being locked by another process. Try again.`,
    )
  } finally {
    unlinkSync(lockDraft)
  }
}

/** Restricts the folder to its owner: it holds conversations and the keys that sign tokens. */
function restrictFolder(folder: string, log: Log): void {
  const formerMode = statSync(folder).mode & 0o777
  if (process.platform === 'win32' || (formerMode & OTHERS) === 0) return
  const mode = `0${formerMode.toString(8)}`
  let cause = 'the file system ignores it'
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    cause = (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
  if ((statSync(folder).mode & OTHERS) === 0)
    return log(
      `The data folder ${folder} was open to other users (${mode}). Now only its owner can read it (0700).`,
      'info',
    )
  log(
    `Warning: the data folder ${folder} is open to other users of this machine (${mode}), and its mode cannot be changed (${cause}). Run as its owner: chmod 700 ${folder}`,
    'warn',
  )
}

/** Removes the rights of other users from every file in a folder: PGlite makes its files writable by all. */
export function restrictFiles(folder: string): void {
  if (process.platform === 'win32') return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    try {
      const { mode } = lstatSync(path)
      if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700)
    } catch {
      // The file is gone, or belongs to another user. The rights of the folder protect it.
    }
  }
}

function releaseLock(path: string, ownHolder: Holder): void {
  const holder = readHolder(path)
  if (holder?.pid === ownHolder.pid && holder.started === ownHolder.started) unlinkSync(path)
}

function readHolder(path: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined
  } catch {
    return undefined
  }
}

/** Removes a stale lock by moving it. Puts the lock back if it is newer than the one that was judged stale. */
function putStaleLockAside(path: string, judgedHolder: Holder | undefined): void {
  const staleLock = `${path}.${process.pid}.stale`
  try {
    renameSync(path, staleLock)
  } catch {
    return
  }
  const movedHolder = readHolder(staleLock)
  if (movedHolder?.pid !== judgedHolder?.pid || movedHolder?.started !== judgedHolder?.started) {
    try {
      linkSync(staleLock, path)
    } catch {
      // Another process made a new lock meanwhile: keep the new one.
    }
  }
  unlinkSync(staleLock)
}

const isAlive = (holder: Holder): boolean => processStart(holder.pid) === holder.started

/** Start time of a process, in the system's own format; undefined if the process does not exist. */
function processStart(pid: number): string | undefined {
  try {
    // Field 22 of stat; the name before it may hold spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    if (process.platform === 'linux') return undefined
  }
  try {
    process.kill(pid, 0)
    return process.platform === 'win32'
      ? 'running'
      : execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : undefined
  }
}
