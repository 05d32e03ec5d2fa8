import { attempt } from './persist.ts'

/** Whether office hours hold. */
export const loadHours = () => attempt(() => import('./hours.ts'))
