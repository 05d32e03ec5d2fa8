// Takes HTML out of Markdown, since an answer would show its source.

/** Names of HTML elements. Another name in angle brackets, such as `<your-domain>`, is text. */
const ELEMENT =
  'a|abbr|b|big|blockquote|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video'
const CODE = /(?<!`)`+[^`]+`+/
const COMMENT = /<!--(?:(?!<!--|-->)[\s\S])*-->/
const BREAK = /<br\s*\/?>[ \t]*\n?/
const TAG = new RegExp(`</?(?:${ELEMENT})(?=[\\s/>])[^<>]*>`)
/** An image that is a link: the build status, the newest version. */
const BADGE = /\[!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])\](?:\([^()]*\)|\[[^[\]]*\])[ \t]*/
const MARKS = new RegExp([CODE, COMMENT, BREAK, TAG, BADGE].map(({ source }) => source).join('|'), 'gi')

/** Markdown without tags, comments and badges; code is left as it is. `lineBreak` takes the place of `<br>`. */
export const withoutHtml = (source: string, lineBreak: string): string =>
  source
    .replace(MARKS, (mark) => (mark.startsWith('`') ? mark : /^<br/i.test(mark) ? lineBreak : ''))
    .replace(/^\s*\n/, '')

/** The text between the tags of a block of HTML, such as a `<summary>`; empty if it has none. */
export const textOfHtml = (block: string): string =>
  /^\s*<(?:script|style|textarea)/i.test(block)
    ? ''
    : block
        .replace(new RegExp(COMMENT, 'g'), ' ')
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
