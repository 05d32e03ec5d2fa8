export type { Channel, Locks } from './channel.ts'
export { createChat } from './chat.ts'
export type {
  AgentInfo,
  Chat,
  ChatEvents,
  ChatOptions,
  ChatStatus,
  Clock,
  Content,
  Csat,
  DividerEntry,
  Entry,
  Handoff,
  KeyValue,
  MessageEntry,
  Notice,
  NoticeEntry,
  OutboxItem,
  ReadonlySignal,
  Refusal,
  Role,
  WireNote,
} from './model.ts'
export { type ShareOptions, shareTabs } from './share.ts'
export { memoryStore } from './stored.ts'
export type { ShareTabs } from './transport.ts'
