export type { Extras } from './context.ts'
export type {
  DoorHandle,
  DoorOptions,
  DoorSettings,
  FormField,
} from './door-settings.ts'
export { opensAt, readHours } from './hours.ts'
export type { OwnWords } from './locales/en.ts'
export { mountPanel, type PanelHandle, type PanelSettings } from './mount.tsx'
export { loadExtras } from './parts.ts'
export type { Feature, Renderers, SiteSettings } from './site.ts'
