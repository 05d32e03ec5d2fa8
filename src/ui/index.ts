export {
  type DoorHandle,
  type DoorLooks,
  type DoorOptions,
  type DoorSettings,
  type DoorStep,
  type FormField,
  NO_DOOR,
  type PolicyLink,
} from './door-settings.ts'
export type { OwnWords } from './locales/index.ts'
export { mountPanel, type PanelHandle, type PanelOptions, type PanelSettings } from './mount.tsx'
export type { DrawnMessage, Feature, Renderers, SiteSettings } from './site.ts'

/** What stands before a chat, where a site asks for something. */
export const loadDoor = () => import('./door.tsx')

/** Whether office hours hold. */
export const loadHours = () => import('./hours.ts')
