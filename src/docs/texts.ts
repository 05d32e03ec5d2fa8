// Draws the files of a site that programs read: the index of its search, `llms.txt`, and the map for search engines.

import { type Passage, plainText } from '../agents/index.ts'
import { addressFrom, publicAddress } from './addresses.ts'
import { escapeHtml } from './page.ts'
import type { Shell } from './shell.ts'
import type { Entry } from './site/search.ts'
import { words } from './words.ts'

/** The words of a block, without the marks of fences and tables. */
function searchable({ kind, source }: Passage['blocks'][number]): string {
  if (kind === 'code') return withoutLines(source, /^\s*(```|~~~)/).trim()
  return plainText(kind === 'table' ? withoutLines(source, /^[\s|:-]+$/).replaceAll('|', ' ') : source)
}

const withoutLines = (source: string, mark: RegExp): string =>
  source
    .split('\n')
    .filter((line) => !mark.test(line))
    .join('\n')

/** A script, since a page that is opened from a disk may load no JSON. */
export function searchIndex({ contents, pageOf }: Shell): string {
  const entries: Entry[] = contents.documents.flatMap((document) =>
    document.passages.map(({ title, heading, slug, blocks, asked }) => ({
      title,
      heading,
      address: addressFrom('', pageOf(document)) + (slug && `#${encodeURIComponent(slug)}`),
      text: blocks.map(searchable).join('\n'),
      ...(asked.length > 0 && { asked: asked.join('\n') }),
    })),
  )
  return `globalThis.foyerDocs = ${JSON.stringify(entries)}\n`
}

/** https://llmstxt.org: an index of the pages for language models, which read Markdown. */
export function drawIndex({ contents, title, home, origin = '' }: Shell): string {
  const lead = home.description
  const groups = contents.groups.map(({ label, documents }) => {
    const lines = documents.map((document) => {
      const link = `- [${document.title.replace(/[[\]]/g, '')}](${origin}${addressFrom('', document.file)})`
      return document.description ? `${link}: ${document.description}` : link
    })
    return [`## ${label || words.documents}`, '', ...lines].join('\n')
  })
  return `${[`# ${title}`, ...(lead ? [`> ${lead}`] : []), ...groups].join('\n\n')}\n`
}

/** Every page in one file. */
export const drawFullText = ({ contents, origin = '' }: Shell): string =>
  contents.documents
    .map(({ file, body }) => `<!-- ${origin}${addressFrom('', file)} -->\n\n${body.trim()}\n`)
    .join('\n')

export function drawSitemap({ contents, pageOf, origin = '' }: Shell): string {
  const urls = contents.documents.map(
    (document) => `  <url><loc>${escapeHtml(publicAddress(origin, pageOf(document)))}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}
