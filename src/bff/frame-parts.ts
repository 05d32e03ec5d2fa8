// Finds the files that the frame's script will ask for, so that its page names them and the browser asks for all at once.

import type { Assets } from './assets.ts'

/** The options of a page that a reception reads. */
export const DETAILS =
  /\b(agentName|avatar|greeting|disclaimer|privacyUrl|termsUrl|words|tokens|without|form|hours|timeZone|outsideHours|starters|rating|enterSends)\b/

/**
 * Their names, which change with each build; without them the browser asks a little later. `query`: the language of the panel, and the
 * names of the options that the page gives.
 */
export async function frameParts(assets: Assets | undefined, query: URLSearchParams): Promise<string[]> {
  const options = query.get('options') ?? ''
  const languages = languagesOf(query.get('locale') ?? '')
  const hasDetails = DETAILS.test(options)
  const isDressed = hasDetails || languages.length > 0 || /\baccent\b/.test(options)
  const parts: string[] = []
  for (const part of await namedIn(assets, 'frame.js')) {
    const name = nameOf(part)
    if (name === 'dress' ? !isDressed : name === 'reception' && !hasDetails) continue
    parts.push(part)
    if (name !== 'dress') continue
    for (const each of await namedIn(assets, part))
      if (languages.includes(nameOf(each)) || (hasDetails && nameOf(each) === 'details')) parts.push(each)
  }
  return parts
}

/** The names of the files that hold the words of a language: of itself, of its script, of its region. None for English. */
function languagesOf(tag: string): string[] {
  try {
    const { language, script, region } = new Intl.Locale(tag).maximize()
    return [language, `${language}-${script}`, `${language}-${region}`].filter(
      (name) => !/^en(-US|-Latn)?$/.test(name),
    )
  } catch {
    return []
  }
}

/** Without the hash of its content. */
const nameOf = (part: string): string => part.replace(/(-[\w-]{8})?\.js$/, '')

async function namedIn(assets: Assets | undefined, file: string): Promise<string[]> {
  try {
    const script = await assets?.(file)
    const text = new TextDecoder().decode(script?.body)
    return [...new Set(Array.from(text.matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g), ([, name = '']) => name))]
  } catch {
    return []
  }
}
