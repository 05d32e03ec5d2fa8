// What the panel loads beside itself, in one request: the parser, and what else an answer needs to be drawn. Until it is here answers
// stand as plain text.

export { default as styles } from './answer.css?inline'
export { Extras } from './extras.tsx'
export { linked, parseBlocks, readWords, withoutHalves } from './markdown.tsx'
export { Day, Note } from './note.tsx'
export { Queue } from './queue.tsx'
export { Suggestions } from './suggestions.tsx'
