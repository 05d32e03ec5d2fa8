// Draws the whole HTML of a site's pages.

import { addressFrom, publicAddress } from './addresses.ts'
import { drawBody } from './body.ts'
import type { Contents, Document } from './contents.ts'
import { escapeHtml } from './page.ts'
import { words } from './words.ts'

export type Shell = {
  contents: Contents
  home: Document
  /** The path of a document's page. */
  pageOf(document: Document): string
  /** Of the site. */
  title: string
  /** The address of the site, with a slash at its end. */
  origin: string | undefined
}

const SEARCH = 'site/search.html'

/** `pictures`: the origins of pictures that are not the site's own. */
export function drawShell(
  shell: Shell,
  document: Document,
  html: string,
  pictures: ReadonlySet<string>,
): string {
  const page = shell.pageOf(document)
  const source = escapeHtml(addressFrom(page, document.file))
  const isEnglish = document.language.startsWith('en')
  const described = escapeHtml(document.description)
  const head = [
    described && `<meta name="description" content="${described}">`,
    shell.origin && `<link rel="canonical" href="${escapeHtml(publicAddress(shell.origin, page))}">`,
    `<link rel="alternate" type="text/markdown" href="${source}">`,
  ]
  const body = drawBody({
    ...around(shell, page),
    document,
    html,
    foot: `<p class="foot"><a href="${source}"${isEnglish ? '' : ' lang="en"'}>${escapeHtml(words.markdown)}</a></p>`,
  })
  const { language, direction, title } = document
  return drawHtml({ shell, page, language, direction, title, head, scripts: [], body, pictures })
}

/** The page that a search leads to. A script fills it. */
export function drawSearchPage(shell: Shell): string {
  // Its own words are English, whatever the documents are.
  const [language, direction] = ['en', 'ltr'] as const
  const html = `<h1>${escapeHtml(words.search)}</h1>\n<noscript><p>${escapeHtml(words.needsScript)}</p></noscript>`
  const body = drawBody({ ...around(shell, SEARCH), html })
  const head = ['<meta name="robots" content="noindex">']
  const scripts = ['index.js', 'search.js']
  return drawHtml({ shell, page: SEARCH, language, direction, title: words.search, head, scripts, body })
}

/** What stands around the text of any page. */
const around = ({ contents, pageOf, home, title }: Shell, page: string) => ({
  contents,
  addressOf: (to: Document) => addressFrom(page, pageOf(to)),
  search: addressFrom(page, SEARCH),
  bar: `<header class="site-bar"><a href="${escapeHtml(addressFrom(page, pageOf(home)))}">${escapeHtml(title)}</a></header>`,
})

type Html = Pick<Document, 'language' | 'direction' | 'title'> & {
  shell: Shell
  page: string
  head: readonly (string | undefined)[]
  scripts: readonly string[]
  body: string
  pictures?: ReadonlySet<string>
}

function drawHtml({ shell, page, head, scripts, body, pictures = new Set(), ...document }: Html): string {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...pictures].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const site = (name: string) => escapeHtml(addressFrom(page, `site/${name}`))
  const title = document.title === shell.title ? document.title : `${document.title} – ${shell.title}`
  const lines = [
    '<!doctype html>',
    `<html lang="${escapeHtml(document.language)}" dir="${document.direction}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    ...head,
    '<link rel="icon" href="data:,">',
    `<link rel="stylesheet" href="${site('site.css')}">`,
    ...['page.js', ...scripts].map((name) => `<script src="${site(name)}" defer></script>`),
    '</head>',
    '<body>',
    body,
    '</body>',
    '</html>',
  ]
  return `${lines.filter(Boolean).join('\n')}\n`
}
