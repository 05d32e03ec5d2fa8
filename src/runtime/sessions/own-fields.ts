// Reads what Foyer's widget says beside the documented fields of a new session: its page and its language. What does not fit is
// ignored, since it must not cost the visitor the chat.

import { isObject } from '../../api/index.ts'
import { pageAddress } from '../../protocol/index.ts'
import type { Redaction } from '../redact.ts'
import type { Page } from './state/session.ts'

/** So many entries of an Accept-Language header are read. */
const MOST_LANGUAGES = 10
const LONGEST_TITLE = 200
/** Masking must see a number whole, so a title is cut after it. */
const LONGEST_UNCUT = 2_000

/** The page as it is stored. */
export function pageIn(body: unknown, redact: Redaction): Page | undefined {
  const { url: named, title }: Record<string, unknown> =
    isObject(body) && isObject(body.page) ? body.page : {}
  const url = pageAddress(named)
  if (url === undefined) return undefined
  const words = typeof title === 'string' ? title.slice(0, LONGEST_UNCUT) : ''
  const line = words.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim()
  return { url: redact.text(url), title: redact.text(redact.text(line).slice(0, LONGEST_TITLE)) }
}

/** The language of the body, else the first of an Accept-Language header, as language, script and region. Undefined if neither names one. */
export function languageIn(body: unknown, header = ''): string | undefined {
  const asked = isObject(body) && typeof body.language === 'string' ? [body.language] : []
  for (const preference of [...asked, ...header.split(',', MOST_LANGUAGES)]) {
    const [tag = ''] = preference.split(';', 1)
    try {
      const { language, script, region } = new Intl.Locale(tag.trim())
      return [language, script, region].filter(Boolean).join('-')
    } catch {
      // `*`, or not a language.
    }
  }
  return undefined
}
