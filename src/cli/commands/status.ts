// Defines the command that counts conversations and vectors.

import { command, type Noun } from './command.ts'

export const status: Noun = {
  description: 'how many conversations there are, and how many have a vector',
  verbs: {
    // `status` takes no verb.
    '': command({
      description: 'Counts conversations, and those that have a vector for semantic search.',
      fields: {},
      run: (commands) => commands.status(),
      show: ({ conversations, inProgress, vectors }) =>
        [
          `Conversations: ${conversations}, ${inProgress} in progress`,
          `Vectors: ${vectors.made} made, ${vectors.waiting} conversations wait for one`,
        ].join('\n'),
    }),
  },
}
