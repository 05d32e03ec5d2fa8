export type { Handle } from './loader/host.ts'
export { type MountOptions, mount } from './mount.ts'
export type { Options } from './options.ts'
export type { Listener, PageEvents, PageEventType } from './page-events.ts'
