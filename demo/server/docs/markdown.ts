// Renders a document as HTML that runs nothing.

import MarkdownIt from 'markdown-it'
import { splitFrontMatter } from '../../../src/agents/search/front-matter.ts'
import { headingOf, slugOf } from '../../../src/agents/search/passages.ts'

/** HTML in a file is shown as text, never run; comments are not shown. */
const markdown = new MarkdownIt({ html: true, linkify: false })
export const escapeHtml = markdown.utils.escapeHtml
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

/** `sections`: the headings of the second level, with their anchors. */
export type Rendered = { html: string; sections: { heading: string; slug: string }[] }

/**
 * Cells get classes for their sides, since the page's policy allows no `style`; headings get the anchors that the guide
 * links to, links to files lead to their pages.
 */
export function render(text: string): Rendered {
  const tokens = markdown.parse(splitFrontMatter(text).body, {})
  const sections: Rendered['sections'] = []
  const slugs = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = headingOf(tokens[index + 1]?.content ?? '')
      const base = slugOf(heading)
      const count = slugs.get(base) ?? 0
      slugs.set(base, count + 1)
      const slug = count === 0 ? base : `${base}-${count}`
      token.attrSet('id', slug)
      if (token.tag === 'h2' && token.level === 0) sections.push({ heading, slug })
    }
    const side = /text-align:(right|center)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
    if (side) token.attrSet('class', side)
    for (const child of token.children ?? []) {
      const to = child.type === 'link_open' ? String(child.attrGet('href') ?? '') : ''
      if (to && !/^\w+:|^\//.test(to)) child.attrSet('href', to.replace(/\.(md|markdown)(?=#|$)/i, ''))
    }
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections }
}
