export type { Extras } from './context/context.ts'
export type {
  FormField,
  PrechatHandle,
  PrechatOptions,
  PrechatSettings,
} from './context/prechat-settings.ts'
export type { Feature, Renderers, SiteSettings } from './context/site.ts'
export { persist } from './load.ts'
export type { OwnWords, Register } from './locales/en.ts'
export { mountPanel, type PanelHandle, type PanelSettings } from './panel/mount.tsx'
export { loadExtras } from './parts/parts.ts'
export { HOURS_CHECK_MS, opensAt, readHours } from './words/hours.ts'
export { loadWords } from './words/languages.ts'
