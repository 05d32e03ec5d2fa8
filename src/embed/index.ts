export { type MountOptions, mount } from './mount.ts'
export type { Options } from './options.ts'
export type { Handle } from './page/host/host.ts'
export type { Listener, PageEvents, PageEventType } from './page-events.ts'
