// Draws links from outside. An address that is not a page, a mail or a phone number stays text.

import type { ComponentChildren } from 'preact'
import { safeHref } from '../markdown/index.ts'

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
  host,
  label,
}: {
  href: string
  children: ComponentChildren
  class?: string
  /** The host that it really leads to, where its words name another. */
  host?: string | undefined
  /** Its accessible name, where its words alone do not tell where it leads. */
  label?: string | undefined
}) {
  const safe = safeHref(href)
  if (safe === undefined) return <span class={name}>{children}</span>
  return (
    <a
      class={name}
      href={safe}
      aria-label={label}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerpolicy="no-referrer"
    >
      {children}
      {host !== undefined && <bdi class="host"> ({host})</bdi>}
    </a>
  )
}
