export { commandHelp, nounHelp, readLine } from './line.ts'
export { findCommand, findNoun, isVerbless, NOUN_HELP } from './nouns.ts'
