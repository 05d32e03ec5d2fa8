// The names of the package entry foyer-server/agents. docs/agents.md lists them.

export {
  type AguiAgentOptions,
  type Contact,
  createAguiAgent,
  createGuide,
  createLlmAgent,
  type Guide,
  type GuideOptions,
  type LlmAgent,
  type LlmAgentOptions,
  type LlmLimits,
  type LlmTool,
  type ToolContext,
} from './index.ts'
