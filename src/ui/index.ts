export { mountPanel, type PanelHandle, type PanelOptions, type PanelSettings } from './mount.tsx'
