// Reads what the README and the docs tell people to paste. A snippet is found by its code: pages and headings may change.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** The README and the pages of the docs. */
export const PAGES = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

type Snippet = { language: string; code: string }
/** The snippets between two headings of a page, in their order. */
export type Section = { name: string; snippets: readonly Snippet[] }

/** The snippets of a text in Markdown that name their language. */
export const snippetsIn = (text: string): Snippet[] =>
  [...text.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))

export const sections: readonly Section[] = PAGES.flatMap((page) =>
  readFileSync(join(root, page), 'utf8')
    .split(/^## /m)
    .map((section) => ({
      name: `${page}: ${section.split('\n')[0]}`,
      snippets: snippetsIn(section),
    })),
)

/** The only section that has a snippet with each of these parts. */
export function sectionWith(language: string, ...parts: readonly string[]): Section {
  const found = sections.filter(({ snippets }) =>
    snippets.some(
      (snippet) => snippet.language === language && parts.every((part) => snippet.code.includes(part)),
    ),
  )
  const [section] = found
  if (!section || found.length > 1)
    throw new Error(
      `${found.length} sections have a snippet in ${language} with ${parts.join(' and ')}: ${found.map(({ name }) => name).join(', ')}`,
    )
  return section
}

/** The snippets of a section in one language. */
export const codeIn = ({ snippets }: Section, language: string): string[] =>
  snippets.filter((snippet) => snippet.language === language).map(({ code }) => code)

/** The only snippet of a language that has each of these parts. */
export function snippetWith(language: string, ...parts: readonly string[]): string {
  const found = codeIn(sectionWith(language, ...parts), language).filter((code) =>
    parts.every((part) => code.includes(part)),
  )
  const [snippet] = found
  if (snippet === undefined || found.length > 1)
    throw new Error(`${found.length} snippets in ${language} have ${parts.join(' and ')}`)
  return snippet
}
