// Saves the transcript as a file: plain text or a page.

import type { PanelState } from '../context/context.ts'
import styles from './letter.css?inline'
import { transcriptPage, transcriptText } from './letter.tsx'

/** Hands the visitor a file with the conversation so far. */
export function download(panel: PanelState, format: 'text' | 'page'): void {
  const say = panel.words.peek()
  const text = format === 'text' ? transcriptText(panel) : pageText(panel)
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

function pageText(panel: PanelState): string {
  const page = transcriptPage(panel)
  const charset = page.createElement('meta')
  charset.setAttribute('charset', 'utf-8')
  const viewport = page.createElement('meta')
  viewport.setAttribute('name', 'viewport')
  viewport.setAttribute('content', 'width=device-width')
  page.head.prepend(charset, viewport)
  const html = new XMLSerializer()
    .serializeToString(page.documentElement)
    .replace('</head>', () => `<style>${styles}</style></head>`)
  return `<!doctype html>\n${html}\n`
}
