// Searches a site's documents in the browser, and draws the results.

import MiniSearch from 'minisearch'
import { words } from '../words.ts'

/** A passage of a document. `address`: from the root of the site. `asked`: its hints, which are searched and not shown. */
export type Entry = { title: string; heading: string; address: string; text: string; asked?: string }

const MOST_RESULTS = 20
const LONGEST_QUERY = 200
const LONGEST_EXCERPT = 180
/** Scripts without spaces between their words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const splitAtSpaces = MiniSearch.getDefault('tokenize')
function splitWords(text: string): string[] {
  // Punctuation at an end leaves an empty word.
  if (!UNSPACED.test(text) || !('Segmenter' in Intl)) return splitAtSpaces(text).filter(Boolean)
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)
  return [...segments].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}

/** Best first. */
export function searchEntries(entries: readonly Entry[], query: string): Entry[] {
  const index = new MiniSearch<Entry & { id: number }>({
    fields: ['title', 'heading', 'text', 'asked'],
    tokenize: splitWords,
    searchOptions: {
      boost: { heading: 3, asked: 3, title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(entries.map((entry, id) => ({ ...entry, id })))
  // Passages with every word come first; those with some of the words follow.
  const all = index.search(query, { combineWith: 'AND' })
  const some = index.search(query)
  const ids = new Set([...all, ...some].map(({ id }) => id as number))
  return [...ids].slice(0, MOST_RESULTS).flatMap((id) => entries[id] ?? [])
}

/** The part of a text around the first of the words. */
export function excerptOf(text: string, query: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  const lower = plain.toLowerCase()
  const places = splitWords(query.toLowerCase()).map((word) => lower.indexOf(word))
  const first = Math.min(...places.filter((place) => place >= 0), plain.length)
  const from =
    first === plain.length || first < LONGEST_EXCERPT / 2 ? 0 : lower.lastIndexOf(' ', first - 40) + 1
  const part = plain.slice(from, from + LONGEST_EXCERPT)
  const isCut = from + LONGEST_EXCERPT < plain.length
  return `${from > 0 ? '… ' : ''}${isCut ? `${part.replace(/\s+\S*$/, '')} …` : part}`
}

/** The title of the search page with the query in it. The site's title follows a dash. */
export const titleFor = (title: string, query: string): string =>
  title.replace(/^[^–]+/, () => `${words.resultsFor(query)} `)

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  // A document may be written in the other direction than the page.
  made.dir = 'auto'
  return made
}

/** Draws the results of the query in the page's address. */
export function showResults(entries: readonly Entry[]): void {
  const query = (new URLSearchParams(location.search).get('q') ?? '').trim().slice(0, LONGEST_QUERY)
  const heading = document.querySelector('main h1')
  const field = document.querySelector<HTMLInputElement>('input[name="q"]')
  if (field) field.value = query
  if (!heading || query === '') return field?.focus()
  heading.textContent = words.resultsFor(query)
  document.title = titleFor(document.title, query)
  const results = searchEntries(entries, query)
  if (results.length === 0) return heading.after(element('p', words.nothing))
  const list = document.createElement('ol')
  list.className = 'results'
  for (const entry of results) {
    const link = element('a', entry.heading)
    link.setAttribute('href', `../${entry.address}`)
    const item = document.createElement('li')
    item.append(link)
    if (entry.heading !== entry.title) item.append(' ', element('span', entry.title))
    item.append(element('p', excerptOf(entry.text, query)))
    list.append(item)
  }
  heading.after(list)
}
