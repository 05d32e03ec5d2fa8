export { createGuide, type Guide, type GuideOptions } from './guide.ts'
export { createLlmAgent, type LlmAgent } from './llm.ts'
export { DEFAULT_LLM_LIMITS, type LlmAgentOptions, type LlmLimits } from './llm-options.ts'
export type { LlmTool, ToolContext } from './llm-tools.ts'
