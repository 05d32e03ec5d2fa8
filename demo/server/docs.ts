// Serves the files that the agent answers from, as pages with the widget, and the search in them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Passage, plainText } from '../../src/agents/index.ts'
import {
  type Contents,
  type Document,
  drawBody,
  drawPage,
  escapeHtml,
  nameOf,
  readContents,
  shortened,
  docsWords as words,
} from '../../src/docs/index.ts'
import { places } from '../places.ts'
import { words as demoWords } from '../words.ts'

/** The agent's search: the passages that match best, best first. */
export type FindPassages = (text: string) => Promise<readonly Passage[]>
/** `query`: what to search for. */
export type DocsPages = (
  path: string,
  query?: string,
) => Promise<{ html: string } | { to: string } | undefined>

const LONGEST_QUERY = 200
const LONGEST_EXCERPT = 180

const addressOf = ({ name }: Pick<Document, 'name'>): string =>
  `/docs/${name.split('/').map(encodeURIComponent).join('/')}`

/** `built`: the folder of the demo's built pages. Answers `/docs/`, `/docs/?q=<words>` and `/docs/<file without its ending>`. */
export function createDocsPages(built: string, folder: string, find: FindPassages): DocsPages {
  let contents: Contents | undefined
  return async (path, query) => {
    if (path !== '/docs' && !path.startsWith('/docs/')) return undefined
    contents = await readContents(folder, { earlier: contents })
    const { documents, home } = contents
    const asked = decode(path.slice('/docs/'.length))
    const question = asked === '' ? (query ?? '').trim().slice(0, LONGEST_QUERY) : ''
    const document = documents.find(({ name }) => name === nameOf(asked))
    if (asked === '' && question === '') return home && { to: addressOf(home) }
    if (!document && question === '') return undefined
    const html = document ? drawDocument(document) : drawResults(question, await find(question))
    const parts: Record<string, string> = {
      title: escapeHtml(document?.title ?? words.resultsFor(question)),
      language: document?.language ?? 'en',
      direction: document?.direction ?? 'ltr',
      body: drawBody({
        contents,
        document,
        html,
        addressOf,
        search: '/docs/',
        query: question,
        bar: drawBar(),
      }),
    }
    const template = await readFile(join(built, 'docs.html'), 'utf8')
    return { html: template.replace(/\{\{(\w+)\}\}/g, (whole, part: string) => parts[part] ?? whole) }
  }
}

/** Links to files lead to their pages. */
const drawDocument = (document: Document): string =>
  drawPage(document, ({ to }) => (/^\w+:|^\//.test(to) ? to : to.replace(/\.(md|markdown)(?=#|$)/i, '')))

function drawBar(): string {
  const links = places.map(({ place, address, name }) => {
    const current = place === 'docs' ? ' aria-current="true"' : ''
    return `<a href="${address}"${current}>${escapeHtml(name)}</a>`
  })
  return `<nav class="bar" aria-label="${escapeHtml(demoWords.pages)}"><strong>Foyer</strong>${links.join('')}</nav>`
}

function drawResults(query: string, passages: readonly Passage[]): string {
  const items = passages.map(({ file, title, heading, slug, blocks }) => {
    const address = `${addressOf({ name: nameOf(file) })}${slug && `#${encodeURIComponent(slug)}`}`
    const prose = plainText(blocks.find(({ kind }) => kind === 'prose')?.source ?? '')
    const page = heading === title ? '' : `<span>${escapeHtml(title)}</span>`
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(heading)}</a>${page}<p>${escapeHtml(shortened(prose, LONGEST_EXCERPT))}</p></li>`
  })
  const heading = `<h1>${escapeHtml(words.resultsFor(query))}</h1>`
  const list = items.length > 0 ? `<ol class="results">${items.join('')}</ol>` : `<p>${words.nothing}</p>`
  return heading + list
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
