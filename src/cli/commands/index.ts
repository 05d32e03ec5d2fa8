export { argumentsOf, commandHelp, nounHelp, readLine, usage } from './line.ts'
export { findCommand, findNoun, isVerbless, NOUN_HELP, NOUNS } from './nouns.ts'
