export { commandHelp, nounHelp, readLine } from './line.ts'
export { findCommand, findNoun, NOUN_HELP } from './nouns.ts'
