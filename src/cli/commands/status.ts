// Defines the command that counts conversations and vectors.

import { command, type Noun } from './command.ts'

export const status: Noun = {
  says: 'how many conversations there are, and how many have a vector',
  verbs: {
    // `status` takes no verb.
    '': command({
      says: 'Counts conversations, and those that have a vector for semantic search.',
      fields: {},
      run: async (commands) => ({ ...(await commands.status()) }),
      show: ({ conversations, inProgress, vectors }) =>
        [
          `Conversations: ${conversations}, ${inProgress} in progress`,
          `Vectors: ${vectors.made} made, ${vectors.waiting} conversations wait for one`,
        ].join('\n'),
    }),
  },
}
