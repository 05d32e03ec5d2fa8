export { type CopyProgress, copyTables, hasTables } from './copy-store.ts'
export { createErasing, type Erasing } from './erasing.ts'
