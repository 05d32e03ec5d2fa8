export { mountPanel, type PanelSettings } from './mount.tsx'
