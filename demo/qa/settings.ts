// Keeps the QA view's settings in the address, so that they can be shared.

import type { MountOptions } from '../../src/embed/index.ts'
import { TAGS } from '../../src/ui/words/languages.ts'

export const CHOICES = {
  isolation: ['frame', 'none'],
  layout: ['float', 'embedded', 'fullscreen'],
  platform: ['web', 'ios', 'android'],
  streaming: ['true', 'false'],
  theme: ['auto', 'light', 'dark'],
  accent: ['', '#34589d', '#0f766e', '#b4236a', '#f2c14e', '#1f1f24'],
  locale: ['en', ...TAGS.filter((tag) => tag !== 'en')],
} as const

export type Settings = { [K in keyof typeof CHOICES]: string }
export type View = 'home' | 'qa'

export function readSettings(query: string): { view: View; settings: Settings } {
  const given = new URLSearchParams(query)
  const entries = Object.entries(CHOICES).map(([name, values]) => {
    const value = given.get(name)
    return [name, value !== null && (values as readonly string[]).includes(value) ? value : values[0]]
  })
  return {
    view: given.get('view') === 'qa' ? 'qa' : 'home',
    settings: Object.fromEntries(entries) as Settings,
  }
}

export function writeSettings(view: View, settings: Settings): string {
  const query = new URLSearchParams(view === 'qa' ? { view } : {})
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = settings[name as keyof Settings]
    if (value !== values[0]) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? location.pathname : `?${text}`
}

/** The origin that serves the widget. The demo's server writes it into the page; to a browser it is another site. */
export function foyerOrigin(): string {
  return document.getElementById('app')?.dataset.foyer ?? location.origin
}

export function mountOptions(settings: Settings): MountOptions {
  const { isolation, layout, platform, streaming, theme, accent, locale } = settings
  return {
    // Without a frame the page itself requests the token, which only the BFF's own origin may do.
    origin: isolation === 'none' ? location.origin : foyerOrigin(),
    isolation: isolation as 'frame' | 'none',
    layout: layout as 'float' | 'embedded' | 'fullscreen',
    target: '#stage',
    platform: platform as 'web' | 'ios' | 'android',
    streaming: streaming === 'true',
    theme: theme as 'auto' | 'light' | 'dark',
    ...(accent && { accent }),
    locale,
    autoOpen: true,
    tools: true,
  }
}
