import { attempt } from './persist.ts'

export type { PageParts } from './context.ts'
export { loadDoor, loadDoorWords, loadHours } from './door-parts.ts'
export {
  type DoorHandle,
  type DoorLooks,
  type DoorSettings,
  type DoorStep,
  type FormField,
  NO_DOOR,
} from './door-settings.ts'
export { loadLanguage, usableWords } from './languages.ts'
export { isLocale } from './locale.ts'
export { enCore } from './locales/en-core.ts'
export type { OwnWords } from './locales/index.ts'
export { mountPanel, type PanelHandle, type PanelSettings } from './mount.tsx'
export { paint } from './paint.ts'
export { attempt, persist } from './persist.ts'
export { makeShell, type Shell, type Spoken } from './shell.ts'
export type { Feature, Renderers, SiteSettings } from './site.ts'

/** Draws messages that the page may change. */
export const loadScreened = () => attempt(() => import('./screened.tsx'))
