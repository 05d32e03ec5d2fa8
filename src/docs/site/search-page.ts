// Runs the search of a site's search page.

import { type Entry, showResults } from './search.ts'

showResults((globalThis as { foyerDocs?: Entry[] }).foyerDocs ?? [])
