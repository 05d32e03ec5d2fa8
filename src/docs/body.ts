// Draws the body of a document's page: search, navigation, sections, and the text.

import type { Contents, Document } from './contents.ts'
import { escapeHtml } from './page.ts'
import { words } from './words.ts'

export type BodyOptions = {
  contents: Contents
  /** The document that is shown; undefined for results of a search. */
  document?: Document | undefined
  /** The drawn text. */
  html: string
  /** The address of a document's page. */
  addressOf(document: Document): string
  /** The address that the search form opens. */
  search: string
  /** The visitor's query, which the search field shows. */
  query?: string
  /** HTML of the bar at the top of the page. */
  bar: string
  /** HTML below the text. */
  foot?: string
}

/** A page with fewer sections is short enough to need no list of them. */
const FEWEST_SECTIONS = 2
/** No heading has this anchor: anchors have no dots. */
const TEXT = 'page.text'
const ICON =
  '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><circle cx="9" cy="9" r="5.5" /><path d="m13 13 4 4" /></svg>'

export function drawBody({ bar, html, foot = '', search, query = '', ...options }: BodyOptions): string {
  const { document } = options
  // The words around a text are English.
  const english = !document || document.language.startsWith('en') ? '' : ' lang="en"'
  const documents = escapeHtml(words.documents)
  return `<a class="skip" href="#${TEXT}"${english}>${escapeHtml(words.skip)}</a>
${bar}
<div class="docs">
<div class="aside">
<search${english}><form action="${escapeHtml(search)}"><input type="search" name="q" value="${escapeHtml(query)}" aria-label="${escapeHtml(words.searchLabel)}" placeholder="${escapeHtml(words.search)}" maxlength="200" required autocomplete="off"><button type="submit" class="plain-button" aria-label="${escapeHtml(words.search)}">${ICON}</button></form></search>
<details class="fold pages"><summary${english}>${documents}</summary><nav aria-label="${documents}">${drawContents(options)}</nav></details>
</div>
${drawSections(document?.sections ?? [], english)}
<main id="${TEXT}" tabindex="-1">
${html}
${drawTurn(options, english)}
${foot}
</main>
</div>`
}

function drawContents({
  contents,
  document: shown,
  addressOf,
}: Pick<BodyOptions, 'contents' | 'document' | 'addressOf'>) {
  return contents.groups
    .map(({ label, documents }, index) => {
      const items = documents.map((document) => {
        const current = document === shown ? ' aria-current="page"' : ''
        return `<li><a href="${escapeHtml(addressOf(document))}"${current} dir="auto">${escapeHtml(document.title)}</a></li>`
      })
      if (label === '') return `<ul>${items.join('')}</ul>`
      const id = `group.${index}`
      return `<p id="${id}">${escapeHtml(label)}</p><ul aria-labelledby="${id}">${items.join('')}</ul>`
    })
    .join('')
}

function drawSections(sections: Document['sections'], english: string): string {
  if (sections.length < FEWEST_SECTIONS) return ''
  const items = sections.map(
    ({ heading, slug }) => `<li><a href="#${encodeURIComponent(slug)}">${escapeHtml(heading)}</a></li>`,
  )
  const label = escapeHtml(words.sections)
  return `<details class="fold sections"><summary${english}>${label}</summary><nav aria-label="${label}"><p${english}>${label}</p><ul>${items.join('')}</ul></nav></details>`
}

/** Links to the pages before and after this one. */
function drawTurn(
  { contents, document, addressOf }: Pick<BodyOptions, 'contents' | 'document' | 'addressOf'>,
  english: string,
) {
  if (!document) return ''
  const { documents } = contents
  const at = documents.indexOf(document)
  const link = (to: Document | undefined, side: 'previous' | 'next') =>
    to
      ? `<a class="${side}" rel="${side === 'next' ? 'next' : 'prev'}" href="${escapeHtml(addressOf(to))}"><span${english}>${words[side]}</span> <bdi>${escapeHtml(to.title)}</bdi></a>`
      : ''
  const links = link(documents[at - 1], 'previous') + link(documents[at + 1], 'next')
  return links && `<nav class="turn" aria-label="${escapeHtml(words.turn)}">${links}</nav>`
}
