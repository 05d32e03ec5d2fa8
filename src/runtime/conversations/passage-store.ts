// A full-text index of passages: parts of Markdown files, each under its heading.

import type { Database, Schema } from '../database/index.ts'

export type Passage = { file: string; heading: string; body: string }

/** Stores passages and finds them by their words. */
export interface Passages {
  /** Puts `passages` in the place of all that the collection held. */
  replace(collection: string, passages: readonly Passage[]): Promise<void>
  /** The passages that fit best, best first. None where no word of the question is in any. */
  search(collection: string, question: string, limit: number): Promise<Passage[]>
  /** The first passages of the collection. */
  first(collection: string, limit: number): Promise<Passage[]>
}

export const passagesSchema: Schema = {
  noun: 'passages',
  steps: [
    `
    CREATE TABLE foyer.passage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      collection text NOT NULL,
      position integer NOT NULL,
      file text NOT NULL,
      heading text NOT NULL,
      body text NOT NULL,
      prose text NOT NULL,
      words tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('english', heading), 'A') || setweight(to_tsvector('simple', heading), 'A') ||
        setweight(to_tsvector('english', prose), 'C') || setweight(to_tsvector('simple', prose), 'D')
      ) STORED
    );
    CREATE INDEX passage_place ON foyer.passage (collection, position);
    CREATE INDEX passage_words ON foyer.passage USING gin (words);
    `,
  ],
}

/** Words that say nothing about what is asked. The index's own list serves English only. */
export const EMPTY_WORDS = new Set(
  'a an and are as at be but by can could did do does for from get had has have how i if in is it its me my of on or our please should so tell that the their them there they this to us was we what when where which who why will with would you your about der die das ein eine ist sind und oder wie was wo wer ich mein wird mit zu auf für'.split(
    ' ',
  ),
)

/** Without NUL, which no database of text can hold. */
export function storable({ file, heading, body }: Passage): Passage {
  const text = (value: string) => value.replaceAll('\0', ' ')
  return { file: text(file), heading: text(heading), body: text(body) }
}

/** What a question may mean: examples of code and addresses are about something else. */
export const proseOf = (body: string): string =>
  body.replace(/^(```|~~~).*?^\1/gms, ' ').replace(/\bhttps?:\/\/\S+/g, ' ')

export function createPassages(database: Database): Passages {
  return {
    /** Puts `passages` in the place of all that the collection held. */
    async replace(collection: string, passages: readonly Passage[]): Promise<void> {
      const rows = passages.map((given, position) => {
        const passage = storable(given)
        return { position, ...passage, prose: proseOf(passage.body) }
      })
      await database.transaction(async (tx) => {
        await tx.query('DELETE FROM foyer.passage WHERE collection = $1', [collection])
        await tx.query(
          `INSERT INTO foyer.passage (collection, position, file, heading, body, prose)
           SELECT $1, position, file, heading, body, prose FROM jsonb_to_recordset($2::jsonb)
             AS p (position integer, file text, heading text, body text, prose text)`,
          [collection, JSON.stringify(rows)],
        )
      })
    },

    /** The passages that fit best, best first. None where no word of the question is in any. */
    async search(collection: string, question: string, limit: number): Promise<Passage[]> {
      const words = significantWords(question)
      if (words.length === 0) return []
      // Any of the words finds a passage; more of them, and in the heading, rank it higher.
      const any = words.map((word) => `'${word}':*`).join(' | ')
      return database.query<Passage>(
        `WITH asked AS (SELECT to_tsquery('english', $2) || to_tsquery('simple', $2) AS query)
         SELECT file, heading, body FROM (
           SELECT file, heading, body, position,
             ts_rank('{0.1, 0.2, 0.5, 1.0}', words, query, 1)
               * (SELECT count(*) FROM jsonb_array_elements_text($4::jsonb) AS w
                  WHERE words @@ (to_tsquery('english', w) || to_tsquery('simple', w))) AS rank
           FROM foyer.passage, asked WHERE collection = $1 AND words @@ query) AS found
         ORDER BY rank DESC, position LIMIT $3`,
        [collection, any, limit, JSON.stringify(words.map((word) => `'${word}':*`))],
      )
    },

    /** The first passages of the collection. */
    first: (collection: string, limit: number): Promise<Passage[]> =>
      database.query<Passage>(
        'SELECT file, heading, body FROM foyer.passage WHERE collection = $1 ORDER BY position LIMIT $2',
        [collection, limit],
      ),
  }
}

/** Letters and digits only: nothing of a question is read as syntax. */
export function significantWords(question: string): string[] {
  const words =
    proseOf(question)
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => word.length > 1 && !EMPTY_WORDS.has(word))
  return [...new Set(telling)].slice(0, 16).map((word) => word.slice(0, 64))
}
