export { type BuildFiles, createBuildFiles } from './files.ts'
export { filesSchema } from './schema.ts'
