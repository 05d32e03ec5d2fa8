// Saves the transcript as a file: plain text, or a page drawn by the panel's own components, so that no script in it can run.

import { render } from 'preact'
import type { Entry } from '../../chat/index.ts'
import { Panel, type PanelState } from '../context/context.ts'
import { speakerOf } from '../context/site.ts'
import type { Words } from '../locales/en.ts'
import { noticeText } from '../words/notice-text.ts'

const STYLES =
  ':root{color-scheme:light dark}body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}' +
  'article{margin:1.25rem 0;overflow-wrap:anywhere}.table{overflow-wrap:normal}header,.note{color:color-mix(in srgb,CanvasText 65%,Canvas)}header{font-size:.875rem}' +
  'header b{color:CanvasText}p{margin:.5rem 0}.words{white-space:pre-wrap}.task{list-style:none}.note{text-align:center}' +
  '.code,.table{margin:.75rem 0;overflow:auto}pre{margin:0;overflow:auto;padding:.75rem;border:1px solid silver;border-radius:.5rem}' +
  'table{border-collapse:collapse}th,td{border:1px solid silver;padding:.25rem .5rem;text-align:start}.right{text-align:end}.center{text-align:center}'

/** Hands the visitor a file with the conversation so far. */
export function download(panel: PanelState, format: 'text' | 'page'): void {
  const say = panel.words.peek()
  const text = format === 'text' ? transcriptText(panel, say) : transcriptPage(panel, say)
  const type = format === 'text' ? 'text/plain;charset=utf-8' : 'text/html;charset=utf-8'
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  // Of the visitor's calendar.
  const day = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
  link.download = `${say.chat} ${day}.${format === 'text' ? 'txt' : 'html'}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** All that the panel shows. */
const shown = ({ chat, withheld }: PanelState): Entry[] =>
  chat.transcript.peek().filter(({ key }) => !withheld.has(key))

/** The speaker and the time of a message. */
function bylineOf({ site, locale }: PanelState, say: Words, entry: Extract<Entry, { kind: 'message' }>) {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return {
    name:
      entry.role === 'visitor'
        ? say.you
        : speakerOf(say, site.peek(), entry.role === 'live', entry.agentName),
    time: new Intl.DateTimeFormat(locale.peek(), style).format(entry.at),
  }
}

type MessageEntry = Extract<Entry, { kind: 'message' }>

const wordsOf = (entry: MessageEntry): string => {
  const { pieces, length } = entry.content.peek()
  return pieces.slice(0, length).join('')
}

/** What hangs on a message: a line for each. */
const linesOf = (entry: MessageEntry): string[] => {
  const { attachments, callActions } = entry.content.peek()
  return [
    ...attachments.map(({ title, content_url }) => [title, content_url].filter(Boolean).join(': ')),
    ...callActions.map(({ title, contact_number }) => [title, contact_number].filter(Boolean).join(': ')),
  ]
}

function transcriptText(panel: PanelState, say: Words): string {
  const parts = shown(panel).map((entry) => {
    if (entry.kind !== 'message') return `— ${noticeText(entry, say)} —`
    const { name, time } = bylineOf(panel, say, entry)
    return [`${name}, ${time}`, wordsOf(entry), ...linesOf(entry)].filter(Boolean).join('\n')
  })
  return `${parts.join('\n\n')}\n`
}

function transcriptPage(panel: PanelState, say: Words): string {
  const { linked, parseBlocks } = panel.markdown.peek()
  // A document of its own, which loads and runs nothing.
  const page = document.implementation.createHTMLDocument(say.conversation)
  page.documentElement.lang = panel.locale.peek()
  page.documentElement.dir = say.direction
  const charset = page.createElement('meta')
  charset.setAttribute('charset', 'utf-8')
  const viewport = page.createElement('meta')
  viewport.setAttribute('name', 'viewport')
  viewport.setAttribute('content', 'width=device-width')
  page.head.prepend(charset, viewport)
  render(
    <Panel.Provider value={panel}>
      <h1>{say.conversation}</h1>
      {shown(panel).map((entry) => {
        if (entry.kind !== 'message')
          return (
            <p class="note" dir="auto">
              {noticeText(entry, say)}
            </p>
          )
        const { name, time } = bylineOf(panel, say, entry)
        const text = wordsOf(entry)
        return (
          <article>
            <header>
              <b>
                <bdi>{name}</bdi>
              </b>{' '}
              <bdi>{time}</bdi>
            </header>
            {entry.role === 'visitor' ? (
              <div class="words" dir="auto">
                {linked(text)}
              </div>
            ) : (
              parseBlocks(text).blocks.map(({ node }) => <div dir="auto">{node}</div>)
            )}
            {linesOf(entry).map((line) => (
              <p dir="auto">{linked(line)}</p>
            ))}
          </article>
        )
      })}
    </Panel.Provider>,
    page.body,
  )
  // Buttons have nothing to do in a file.
  for (const button of page.querySelectorAll('button')) button.remove()
  // A file holds attributes, and what is ticked is none.
  for (const box of page.querySelectorAll('input')) box.toggleAttribute('checked', box.checked)
  const html = new XMLSerializer()
    .serializeToString(page.documentElement)
    .replace('</head>', `<style>${STYLES}</style></head>`)
  render(null, page.body)
  return `<!doctype html>\n${html}\n`
}
