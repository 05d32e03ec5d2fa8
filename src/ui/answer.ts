// Lists the parts that the panel loads in one second request: the parser and all that draws an answer. Until then answers are
// plain text.

export { default as styles } from './answer.css?inline'
export { isEmojiAlone } from './emoji.ts'
export { Extras } from './extras.tsx'
export { moveInLog, skipOlder } from './focus.ts'
export { linked, parseBlocks, readWords } from './markdown.tsx'
export { Day, Note } from './note.tsx'
export { Markdown } from './stream.tsx'
export { Suggestions } from './suggestions.tsx'
