// Bugs that were made, or that anybody could make, each as the edit that brings it back.

export type Bug = {
  readonly id: string
  readonly what: string
  /** Found within seconds: part of `npm test`. */
  readonly quick?: true
  /** `find` stands exactly once in the file below src/. */
  readonly edits: readonly { readonly file: string; readonly find: string; readonly put: string }[]
}

const edit = (file: string, find: string, put: string): Bug['edits'] => [{ file, find, put }]

export const BUGS: readonly Bug[] = [
  {
    id: 'dedupe',
    what: 'an event that came before is applied again',
    quick: true,
    edits: edit('chat/receive.ts', 'if (log.seen.has(event.id))', 'if (false)'),
  },
]
