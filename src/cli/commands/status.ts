// Defines the command that counts conversations and vectors, and names the script that pages may pin.

import { readPageScript } from '../page-script.ts'
import { command, type Noun } from './command.ts'

export const status: Noun = {
  description:
    'how many conversations there are, how many have a vector, and the address and integrity of the script of this version',
  verbs: {
    // `status` takes no verb.
    '': command({
      description:
        'Counts conversations, and those that have a vector for semantic search. Names the script of this version with its integrity.',
      fields: {},
      run: async (commands) => ({ ...(await commands.status()), script: readPageScript() ?? null }),
      show: ({ conversations, inProgress, vectors, script }) =>
        [
          `Conversations: ${conversations}, ${inProgress} in progress`,
          `Vectors: ${vectors.made} made, ${vectors.waiting} conversations wait for one`,
          ...(script ? [`Script: ${script.path}, integrity ${script.integrity}`] : []),
        ].join('\n'),
    }),
  },
}
