export { createErasing, type Erasing } from './erasing.ts'
