// Loads what stands before a chat, where a site uses any of it.

import { attempt } from './persist.ts'

/** The steps before a chat. */
export const loadDoor = () => attempt(() => import('./door.tsx'))

/** The words of what stands before a chat, and of a site's own lines. */
export const loadDoorWords = () => attempt(() => import('./door-words.ts'))

/** Whether office hours hold. */
export const loadHours = () => attempt(() => import('./hours.ts'))
