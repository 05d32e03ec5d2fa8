// Draws links from outside. An address that is not a page, a mail or a phone number stays text.

import type { ComponentChildren } from 'preact'
import { safeHref } from '../../markdown/index.ts'
import type { PolicyLink } from '../context/prechat-settings.ts'
import type { Words } from '../locales/en.ts'

/** The address of a picture: one on the web, or one that holds the picture itself. */
export function safePicture(text: string): string | undefined {
  if (/^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(text)) return text
  const href = safeHref(text)
  return href !== undefined && /^https?:/.test(href) ? href : undefined
}

export type LinkProps = {
  href: string
  children: ComponentChildren
  class?: string
  /** The host that it really leads to, where its words name another. */
  host?: string | undefined
  /** Its accessible name, where its words alone do not tell where it leads. */
  label?: string | undefined
}

export function Link({ href, children, class: name, host, label }: LinkProps) {
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

type Linking = { readonly links?: readonly PolicyLink[] | undefined }

/** The site's pages on privacy and the like, by their names in the panel's language. */
export function policiesOf(say: Words, { links = [] }: Linking): { title: string; href: string }[] {
  const titles = { privacyPolicy: say.privacyPolicy, terms: say.terms }
  return links.flatMap(({ name, url }) => {
    const href = safeHref(url)
    return href === undefined ? [] : [{ title: titles[name], href }]
  })
}

export const Policies = ({ say, of }: { say: Words; of: Linking }) => (
  <>
    {policiesOf(say, of).map(({ title, href }) => (
      <a key={href} href={href} target="_blank" rel="noopener noreferrer">
        {title}
      </a>
    ))}
  </>
)

/** An address as people write it: without the scheme and the last slash. */
export const bareAddress = (address: string): string => address.replace(/^https?:\/\/|\/$/g, '')
