export { type AguiAgentOptions, createAguiAgent } from './agui/agui.ts'
export type { Contact } from './contact.ts'
export { createGuide, type Guide, type GuideOptions, wordsSaid } from './guide/guide.ts'
export { sayInWords } from './guide/speech.ts'
export { createLlmAgent, type LlmAgent } from './llm/llm.ts'
export { DEFAULT_LLM_LIMITS, type LlmAgentOptions, type LlmLimits } from './llm/options.ts'
export type { LlmTool, ToolContext } from './llm/tools.ts'
export { listMarkdown, readMarkdown } from './search/folder.ts'
export { splitFrontMatter } from './search/front-matter.ts'
export {
  createSlugs,
  headingOf,
  type Passage,
  plainText,
  readPassages,
  titleOf,
} from './search/passages.ts'
