export { createGuide, type Guide, type GuideOptions } from './guide.ts'
export {
  createLlmAgent,
  DEFAULT_LLM_LIMITS,
  type LlmAgent,
  type LlmAgentOptions,
  type LlmLimits,
} from './llm.ts'
export type { LlmTool, ToolContext } from './llm-tools.ts'
