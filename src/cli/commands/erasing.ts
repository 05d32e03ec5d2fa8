// What is to be forgotten.

import { CommandError } from '../../runtime/index.ts'
import { command, type Noun } from './command.ts'
import { id, NUMBER } from './fields.ts'

export const erase: Noun = {
  says: 'what is to be forgotten, for ever',
  verbs: {
    conversation: command({
      says: 'Erases a conversation with all that hangs on it. There is no way back.',
      fields: {
        id: {
          schema: id('the ID of a conversation'),
          says: 'the ID of the conversation, as the API lists it',
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
      says: 'Erases what is known of a phone number: conversations, calls, consent. There is no way back.',
      fields: { number: { schema: NUMBER, says: 'the number of a person, as +15005550010' } },
      subject: 'number',
      run: async (commands, { number }) => ({ conversations: await commands.eraseNumber(number) }),
      show: ({ conversations }) =>
        conversations === 1 ? '1 conversation is erased.' : `${conversations} conversations are erased.`,
    }),
  },
}
