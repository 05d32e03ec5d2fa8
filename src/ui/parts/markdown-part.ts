// Lists what reads Markdown, and its styles: one file of the build.

export { Disclaimer } from '../answer/disclaimer.tsx'
export { default as styles } from '../answer/markdown.css?inline'
export { linked, parseBlocks, readWords } from '../answer/markdown.tsx'
export { Markdown } from '../answer/stream.tsx'
export { announce } from '../speech/announce.ts'
