// Serves the files that the agent answers from, as pages with the widget.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { listMarkdown, readMarkdown } from '../../src/agents/search/folder.ts'
import { headingOf, readPassages, slugOf } from '../../src/agents/search/passages.ts'

export type DocsPages = (path: string) => Promise<{ html: string } | { to: string } | undefined>

/** HTML in a file is shown as text, never run; comments are not shown. */
const markdown = new MarkdownIt({ html: true, linkify: false })
const escapeHtml = markdown.utils.escapeHtml
const { rules } = markdown.renderer
const isComment = (html: string) => html.startsWith('<!--') && html.endsWith('-->')
rules.html_block = (tokens, at) => {
  const html = tokens[at]?.content.trim() ?? ''
  return isComment(html) ? '' : `<p>${escapeHtml(html)}</p>\n`
}
rules.html_inline = (tokens, at) => {
  const html = tokens[at]?.content ?? ''
  return isComment(html) ? '' : escapeHtml(html)
}
rules.table_open = () => '<div class="table"><table>\n'
rules.table_close = () => '</table></div>\n'

const nameOf = (file: string): string => file.replace(/\.(md|markdown)$/i, '')
const addressOf = (name: string): string => `/docs/${name.split('/').map(encodeURIComponent).join('/')}`

/** `built`: the folder of the demo's built pages. Answers `/docs/` and `/docs/<file without its ending>`. */
export function createDocsPages(built: string, folder: string): DocsPages {
  return async (path) => {
    if (path !== '/docs' && !path.startsWith('/docs/')) return undefined
    const { files } = await listMarkdown(folder)
    const titled = await Promise.all(
      files.map(async ({ name, path }) => {
        const text = readMarkdown(path)
        return { name: nameOf(name), text, title: readPassages(text, name)[0]?.title ?? nameOf(name) }
      }),
    )
    const asked = decode(path.slice('/docs/'.length))
    const first = titled.find(({ name }) => /^(readme|index|about|getting-started)$/i.test(name)) ?? titled[0]
    if (asked === '') return first ? { to: addressOf(first.name) } : undefined
    const page = titled.find(({ name }) => name === nameOf(asked))
    if (!page) return undefined
    const items = titled.map(({ name, title }) => {
      const current = name === page.name ? ' aria-current="page"' : ''
      return `<li><a href="${escapeHtml(addressOf(name))}"${current}>${escapeHtml(title)}</a></li>`
    })
    const template = await readFile(join(built, 'docs.html'), 'utf8')
    const parts: Record<string, string> = {
      title: escapeHtml(page.title),
      contents: `<ul>${items.join('')}</ul>`,
      body: render(page.text),
    }
    return {
      html: template.replace(/\{\{(title|contents|body)\}\}/g, (_, part: string) => parts[part] ?? ''),
    }
  }
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

/** HTML of a file: cells get classes for their sides, since the page's policy allows no `style`; headings get the anchors that the guide links to, links to files lead to their pages. */
function render(text: string): string {
  const tokens = markdown.parse(text.replace(/^---\n.*?\n---\n/s, ''), {})
  const slugs = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const slug = slugOf(headingOf(tokens[index + 1]?.content ?? ''))
      const count = slugs.get(slug) ?? 0
      slugs.set(slug, count + 1)
      token.attrSet('id', count === 0 ? slug : `${slug}-${count}`)
    }
    const side = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    if (side) token.attrSet('class', side)
    for (const child of token.children ?? []) {
      const to = child.type === 'link_open' ? String(child.attrGet('href') ?? '') : ''
      if (to && !/^\w+:|^\//.test(to)) child.attrSet('href', to.replace(/\.(md|markdown)(?=#|$)/i, ''))
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {})
}
