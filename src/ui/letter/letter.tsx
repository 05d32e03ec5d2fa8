// Draws the transcript, or one message, for a place outside the panel: a file, paper or the clipboard. The panel's own components draw it,
// so that no script in it can run.

import { type ComponentChildren, render } from 'preact'
import type { Entry, MessageEntry } from '../../chat/index.ts'
import { bareAddress } from '../answer/link.tsx'
import { Panel, type PanelState } from '../context/context.ts'
import { speakerOf } from '../context/site.ts'
import { decidedText } from '../words/decided-text.ts'
import { noticeText } from '../words/notice-text.ts'

/** All that the panel shows. */
const shown = ({ chat, withheld }: PanelState): Entry[] =>
  chat.transcript.peek().filter(({ key }) => !withheld.has(key))

/** The speaker and the time of a message. */
function bylineOf({ site, locale, words }: PanelState, entry: MessageEntry) {
  const say = words.peek()
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return {
    name:
      entry.role === 'visitor'
        ? say.you
        : speakerOf(say, site.peek(), entry.role === 'live', entry.agentName),
    time: new Intl.DateTimeFormat(locale.peek(), style).format(entry.at),
  }
}

const wordsOf = (entry: MessageEntry): string => {
  const { pieces, length } = entry.content.peek()
  return pieces.slice(0, length).join('')
}

/** What hangs on a message: a line for each. */
const linesOf = ({ words }: PanelState, entry: MessageEntry): string[] => {
  const { attachments, callActions, confirm } = entry.content.peek()
  return [
    ...attachments.map(({ title, content_url }) => [title, content_url].filter(Boolean).join(': ')),
    ...callActions.map(({ title, contact_number }) => [title, contact_number].filter(Boolean).join(': ')),
    decidedText(words.peek(), confirm) ?? '',
  ].filter(Boolean)
}

export function messageText(panel: PanelState, entry: MessageEntry): string {
  const words = wordsOf(entry)
  const text = entry.role === 'visitor' ? words : (panel.markdown.peek().plainText?.(words) ?? words)
  return [text, ...linesOf(panel, entry)].filter(Boolean).join('\n')
}

export function transcriptText(panel: PanelState): string {
  const parts = shown(panel).map((entry) => {
    if (entry.kind !== 'message') return `— ${noticeText(entry, panel.words.peek())} —`
    const { name, time } = bylineOf(panel, entry)
    return `${name}, ${time}\n${messageText(panel, entry)}`
  })
  return `${parts.join('\n\n')}\n`
}

function Message({ panel, entry }: { panel: PanelState; entry: MessageEntry }) {
  const { linked, parseBlocks } = panel.markdown.peek()
  const text = wordsOf(entry)
  return (
    <>
      {entry.role === 'visitor' ? (
        <div class="words" dir="auto">
          {linked(text)}
        </div>
      ) : (
        parseBlocks(text).blocks.map(({ node }) => <div dir="auto">{node}</div>)
      )}
      {linesOf(panel, entry).map((line) => (
        <p dir="auto">{linked(line)}</p>
      ))}
    </>
  )
}

export const messagePage = (panel: PanelState, entry: MessageEntry): Document =>
  draw(panel, <Message panel={panel} entry={entry} />)

export function transcriptPage(panel: PanelState): Document {
  const say = panel.words.peek()
  return draw(
    panel,
    <>
      <h1>{say.conversation}</h1>
      {shown(panel).map((entry) => {
        if (entry.kind !== 'message')
          return (
            <p class="note" dir="auto">
              {noticeText(entry, say)}
            </p>
          )
        const { name, time } = bylineOf(panel, entry)
        return (
          <article>
            <header>
              <b>
                <bdi>{name}</bdi>
              </b>{' '}
              <bdi>{time}</bdi>
            </header>
            <Message panel={panel} entry={entry} />
          </article>
        )
      })}
    </>,
  )
}

/** A document of its own, which loads and runs nothing, and which nobody draws any more. */
function draw(panel: PanelState, content: ComponentChildren): Document {
  const { conversation, direction } = panel.words.peek()
  const page = document.implementation.createHTMLDocument(conversation)
  page.documentElement.lang = panel.locale.peek()
  page.documentElement.dir = direction
  render(<Panel.Provider value={panel}>{content}</Panel.Provider>, page.body)
  const drawn = page.cloneNode(true) as Document
  render(null, page.body)
  // The bar above code holds its language and a button.
  for (const control of drawn.querySelectorAll('button, .code-bar')) control.remove()
  // A file holds attributes, and what is ticked is none.
  for (const box of drawn.querySelectorAll('input')) box.toggleAttribute('checked', box.checked)
  for (const link of drawn.querySelectorAll('a'))
    link.classList.toggle('named', bareAddress(link.textContent ?? '') !== bareAddress(link.href))
  return drawn
}
