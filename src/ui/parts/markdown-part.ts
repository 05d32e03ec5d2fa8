// Lists what reads Markdown, and its styles: one file of the build.

export { default as styles } from '../answer/markdown.css?inline'
export { linked, parseBlocks, readWords } from '../answer/markdown.tsx'
export { plainText } from '../answer/plain-text.ts'
export { Markdown } from '../answer/stream.tsx'
export { announce } from '../speech/announce.ts'
