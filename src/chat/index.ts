export type { Channel, Locks } from './channel.ts'
export { createChat } from './chat.ts'
export { memoryStore } from './effects/stored.ts'
export { type ShareOptions, shareTabs } from './share.ts'
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
} from './state/model.ts'
export type { ShareTabs } from './transport.ts'
