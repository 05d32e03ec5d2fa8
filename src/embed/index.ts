export type { Handle, Listener } from './host.ts'
export { type MountOptions, mount } from './mount.ts'
export type { Options } from './options.ts'
