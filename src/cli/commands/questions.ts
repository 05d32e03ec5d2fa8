// Defines the command that lists what visitors asked and the agent did not understand, as hints for the front matter of a page.

import * as v from 'valibot'
import { ENVIRONMENTS } from '../../api/index.ts'
import { command, type Noun } from './command.ts'
import { oneOf, PROJECT, whole } from './fields.ts'
import { noProject } from './projects.ts'

const [DAYS, LIMIT] = ['30', '50']

export const questions: Noun = {
  description: 'what visitors asked that was not answered',
  verbs: {
    // `questions` takes no verb.
    '': command({
      description:
        'Lists what visitors asked that the agent marked as not understood, most frequent first, in the form of hints for the front matter of a page. The same words count as one question, whatever their case and spaces.',
      fields: {
        days: {
          schema: v.optional(whole(3_650), DAYS),
          value: 'number',
          description: `questions of the last days (default: ${DAYS})`,
        },
        limit: {
          schema: v.optional(whole(200), LIMIT),
          value: 'number',
          description: `at most this many questions (default: ${LIMIT})`,
        },
        project: {
          schema: v.optional(PROJECT),
          value: 'PROJECT-…',
          description: 'questions of this project only (default: all)',
        },
        environment: {
          schema: v.optional(oneOf(ENVIRONMENTS)),
          value: ENVIRONMENTS.join('|'),
          description: 'questions in this environment only (default: all)',
        },
      },
      async run(commands, { days, limit, project, environment }) {
        if (project !== undefined && !(await commands.projects()).some(({ id }) => id === project))
          throw noProject(project)
        const found = await commands.questions({ days, limit, projectId: project, environment })
        return found.map(({ text, count, lastAt }) => ({ text, count, last_at: lastAt.toISOString() }))
      },
      show: (found) =>
        found.length === 0
          ? 'There are no questions without an answer.'
          : ['asked:', ...found.map(hintOf)].join('\n'),
    }),
  },
}

/** An item of a list in YAML, which takes the text of JSON. A count stands in a comment. No visitor chooses a heading by a `#`. */
const hintOf = ({ text, count, last_at }: { text: string; count: number; last_at: string }) =>
  `  - ${printable(JSON.stringify(text.replace(/^[\s#]+/, '')))} # ${count === 1 ? 'once' : `${count} times`}, last on ${last_at.slice(0, 10)}`

/** Without characters that change what a terminal shows. JSON escapes only the first 32. */
const printable = (json: string): string =>
  json.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
