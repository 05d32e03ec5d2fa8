// Defines the commands that erase data.

import { CommandError } from '../../runtime/index.ts'
import { command, type Noun } from './command.ts'
import { id, NUMBER } from './fields.ts'

export const erase: Noun = {
  description: 'permanent deletion of data',
  verbs: {
    conversation: command({
      description: 'Erases a conversation and all its data. This cannot be undone.',
      fields: {
        id: {
          schema: id('the ID of a conversation'),
          description: 'the ID of the conversation, as the API lists it',
        },
      },
      subject: 'id',
      async run(commands, { id }) {
        if (!(await commands.eraseConversation(id)))
          throw new CommandError(`There is no conversation ${id}. It may have been erased before.`)
        return { id, erased: true }
      },
      show: ({ id }) => `The conversation ${id} is erased.`,
    }),
    number: command({
      description: 'Erases all data of a phone number: conversations, calls, consent. This cannot be undone.',
      fields: { number: { schema: NUMBER, description: 'the phone number of a user, such as +15005550010' } },
      subject: 'number',
      run: async (commands, { number }) => ({ conversations: await commands.eraseNumber(number) }),
      show: ({ conversations }) =>
        conversations === 1 ? '1 conversation is erased.' : `${conversations} conversations are erased.`,
    }),
  },
}
