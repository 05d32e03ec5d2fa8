// Declares what the bench uses of the peers, as wide as it can be: they are installed only for the bench, and types must check without them.
// biome-ignore-all lint/suspicious/noExplicitAny: of packages that may not be there

declare module 'deep-chat' {
  export type DeepChat = any
  export const DeepChat: any
}
declare module '@n8n/chat' {
  export const createChat: any
}
declare module 'flowise-embed/dist/web.js' {
  const Chatbot: any
  export default Chatbot
}
declare module 'streamdown' {
  export const Streamdown: any
}
declare module '@assistant-ui/react' {
  export const AssistantModalPrimitive: any
  export const AssistantRuntimeProvider: any
  export const ComposerPrimitive: any
  export const MessagePrimitive: any
  export const ThreadPrimitive: any
  export const useExternalStoreRuntime: any
}
declare module '@assistant-ui/react-markdown' {
  export const MarkdownTextPrimitive: any
}
declare module '@botpress/webchat' {
  export const Composer: any
  export const Container: any
  export const Fab: any
  export const Header: any
  export const MessageList: any
}
declare module '@carbon/ai-chat' {
  export const ChatContainer: any
}
/** What `npm run build` made of this repository. */
declare module 'foyer-webchat' {
  export function mount(options: { origin: string }): { destroy(): void }
}
