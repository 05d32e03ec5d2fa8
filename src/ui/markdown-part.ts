// Lists what reads Markdown, and its styles: one file of the build.

export { default as styles } from './markdown.css?inline'
export { linked, parseBlocks, readWords } from './markdown.tsx'
export { Markdown } from './stream.tsx'
export { announce } from './voice.ts'
