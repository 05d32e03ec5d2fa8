// Lists the parts that the panel loads in one second request: the parser and all that draws an answer. Until then answers are
// plain text.

export { default as styles } from './answer.css?inline'
export { Extras } from './extras.tsx'
export { moveInLog, skipOlder } from './focus.ts'
export { linked, parseBlocks, readWords } from './markdown.tsx'
export { Day, drawSilence, drawTime, Note } from './note.tsx'
export { drawSaid } from './said.tsx'
export { Markdown } from './stream.tsx'
export { Suggestions } from './suggestions.tsx'
