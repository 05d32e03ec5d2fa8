export { createGuide, type GuideOptions } from './guide.ts'
