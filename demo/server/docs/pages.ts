// Serves the files that the agent answers from, as pages with the widget, and the search in them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Passage, plainText } from '../../../src/agents/search/passages.ts'
import { places } from '../../places.ts'
import { words } from '../../words.ts'
import { type Document, type Group, nameOf, readContents } from './contents.ts'
import { escapeHtml, type Rendered, render } from './markdown.ts'

/** The agent's search: the passages that match best, best first. */
export type FindPassages = (text: string) => Promise<readonly Passage[]>
/** `query`: what to search for. */
export type DocsPages = (
  path: string,
  query?: string,
) => Promise<{ html: string } | { to: string } | undefined>

const LONGEST_QUERY = 200
const LONGEST_EXCERPT = 180
/** A page with fewer sections is short enough to need no list of them. */
const FEWEST_SECTIONS = 2

const addressOf = (name: string): string => `/docs/${name.split('/').map(encodeURIComponent).join('/')}`

/** `built`: the folder of the demo's built pages. Answers `/docs/`, `/docs/?q=<words>` and `/docs/<file without its ending>`. */
export function createDocsPages(built: string, folder: string, find: FindPassages): DocsPages {
  return async (path, query) => {
    if (path !== '/docs' && !path.startsWith('/docs/')) return undefined
    const groups = await readContents(folder)
    const documents = groups.flatMap((group) => group.documents)
    const asked = decode(path.slice('/docs/'.length))
    const question = asked === '' ? (query ?? '').trim().slice(0, LONGEST_QUERY) : ''
    const page = documents.find(({ name }) => name === nameOf(asked))
    if (asked === '' && question === '') {
      const first =
        documents.find(({ name }) => /^(readme|index|about|getting-started)$/i.test(name)) ?? documents[0]
      return first && { to: addressOf(first.name) }
    }
    if (!page && question === '') return undefined
    const { html, sections } = page ? render(page.text) : drawResults(question, await find(question))
    const parts: Record<string, string> = {
      title: escapeHtml(page?.title ?? words.docs.resultsFor(question)),
      bar: drawBar(),
      query: escapeHtml(question),
      contents: drawContents(groups, page),
      sections: drawSections(sections),
      body: html,
      turn: page ? drawTurn(documents, page) : '',
    }
    const template = await readFile(join(built, 'docs.html'), 'utf8')
    return { html: template.replace(/\{\{(\w+)\}\}/g, (whole, part: string) => parts[part] ?? whole) }
  }
}

function drawBar(): string {
  const links = places.map(({ place, address, name }) => {
    const current = place === 'docs' ? ' aria-current="true"' : ''
    return `<a href="${address}"${current}>${escapeHtml(name)}</a>`
  })
  return `<nav class="bar" aria-label="${escapeHtml(words.pages)}"><strong>Foyer</strong>${links.join('')}</nav>`
}

function drawContents(groups: readonly Group[], page: Document | undefined): string {
  return groups
    .map(({ label, documents }, index) => {
      const items = documents.map((document) => {
        const current = document === page ? ' aria-current="page"' : ''
        return `<li><a href="${escapeHtml(addressOf(document.name))}"${current}>${escapeHtml(document.title)}</a></li>`
      })
      if (label === '') return `<ul>${items.join('')}</ul>`
      return `<p id="group-${index}">${escapeHtml(label)}</p><ul aria-labelledby="group-${index}">${items.join('')}</ul>`
    })
    .join('')
}

function drawSections(sections: Rendered['sections']): string {
  if (sections.length < FEWEST_SECTIONS) return ''
  const items = sections.map(
    ({ heading, slug }) => `<li><a href="#${encodeURIComponent(slug)}">${escapeHtml(heading)}</a></li>`,
  )
  const label = escapeHtml(words.docs.sections)
  return `<details class="fold sections"><summary>${label}</summary><nav aria-label="${label}"><p>${label}</p><ul>${items.join('')}</ul></nav></details>`
}

/** Links to the pages before and after this one. */
function drawTurn(documents: readonly Document[], page: Document): string {
  const at = documents.indexOf(page)
  const link = (document: Document | undefined, side: 'previous' | 'next') =>
    document
      ? `<a class="${side}" rel="${side === 'next' ? 'next' : 'prev'}" href="${escapeHtml(addressOf(document.name))}"><span>${words.docs[side]}</span> ${escapeHtml(document.title)}</a>`
      : ''
  const links = link(documents[at - 1], 'previous') + link(documents[at + 1], 'next')
  return links && `<nav class="turn" aria-label="${escapeHtml(words.docs.turn)}">${links}</nav>`
}

function drawResults(query: string, passages: readonly Passage[]): Rendered {
  const items = passages.map(({ file, title, heading, slug, blocks }) => {
    const address = `${addressOf(nameOf(file))}${slug && `#${encodeURIComponent(slug)}`}`
    const prose = plainText(blocks.find(({ kind }) => kind === 'prose')?.source ?? '')
    const excerpt =
      prose.length > LONGEST_EXCERPT ? `${prose.slice(0, LONGEST_EXCERPT).replace(/\s+\S*$/, '')} …` : prose
    const page = heading === title ? '' : `<span>${escapeHtml(title)}</span>`
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(heading)}</a>${page}<p>${escapeHtml(excerpt)}</p></li>`
  })
  const heading = `<h1>${escapeHtml(words.docs.resultsFor(query))}</h1>`
  const list =
    items.length > 0 ? `<ol class="results">${items.join('')}</ol>` : `<p>${words.docs.nothing}</p>`
  return { html: heading + list, sections: [] }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
