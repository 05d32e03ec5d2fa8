// What the panel loads beside itself, in one request: the parser, and what else an answer needs to be drawn. Until it is here answers
// stand as plain text.

export { default as styles } from './answer.css?inline'
export { Extras } from './extras.tsx'
export { moveInLog } from './focus.ts'
export { linked, parseBlocks, readWords } from './markdown.tsx'
export { Day, Note } from './note.tsx'
export { Markdown } from './stream.tsx'
export { Suggestions } from './suggestions.tsx'
