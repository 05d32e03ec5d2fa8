import { en, type Words } from './en.ts'

export type { Words }
export { en }

/** The others come when they are asked for. */
const OTHERS: Readonly<Record<string, () => Promise<Words>>> = {
  de: () => import('./de.ts').then((locale) => locale.de),
  ar: () => import('./ar.ts').then((locale) => locale.ar),
}

/** The words for a BCP 47 tag, by its language; English where it has none. */
export async function loadWords(tag: string): Promise<Words> {
  const language = tag.toLowerCase().split('-')[0] ?? ''
  return (await OTHERS[language]?.().catch(() => en)) ?? en
}
