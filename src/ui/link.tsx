// Addresses from outside. What is not plainly a page, a mail or a phone number stays text.

import type { ComponentChildren } from 'preact'
import { hiddenHost, splitAddresses } from './addresses.ts'

const SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** The address, if it may be followed; undefined otherwise. Judged after parsing, as the browser will. */
export function safeHref(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return SCHEMES.includes(url.protocol) && url.username === '' ? url.href : undefined
}

/** The address of a picture: one on the web, or one that holds the picture itself. */
export function safePicture(text: string): string | undefined {
  if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(text)) return text
  const href = safeHref(text)
  return href !== undefined && /^https?:/.test(href) ? href : undefined
}

export function Link({
  href,
  children,
  class: name,
  words = '',
}: {
  href: string
  children: ComponentChildren
  class?: string
  /** The words of the link, where they come from outside: words that name another host are corrected. */
  words?: string
}) {
  const safe = safeHref(href)
  if (safe === undefined) return <span class={name}>{children}</span>
  const host = hiddenHost(words, safe)
  return (
    <a
      class={name}
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerpolicy="no-referrer"
    >
      {children}
      {host !== undefined && <bdi class="host"> ({host})</bdi>}
    </a>
  )
}

/** Plain text with its bare addresses as links. */
export const linked = (text: string): ComponentChildren[] =>
  splitAddresses(text).map((part) =>
    typeof part === 'string' ? part : <Link href={part.href}>{part.text}</Link>,
  )
