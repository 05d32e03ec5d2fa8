// The canned replies, which everybody at the desk shares.

import { signal } from '@preact/signals'
import type { CannedReply } from '../../src/runtime/index.ts'
import { read, write } from '../live.ts'

export function createReplies(fail: (error: unknown) => void) {
  const list = signal<readonly CannedReply[]>([])
  const readAll = () =>
    read<CannedReply[]>('desk/replies').then((found) => {
      list.value = found
    }, fail)

  /** True where it was done. */
  async function change(act: 'save' | 'delete', body: object): Promise<boolean> {
    const done = await write(`desk/replies/${act}`, body).then(
      () => true,
      (error: unknown) => {
        fail(error)
        return false
      },
    )
    await readAll()
    return done
  }

  return {
    list,
    read: readAll,
    save: (reply: CannedReply) => change('save', reply),
    delete: (name: string) => change('delete', { name }),
  }
}
