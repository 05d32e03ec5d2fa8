export { createChat } from './chat.ts'
export { memoryStore } from './state/memory.ts'
export type {
  AgentInfo,
  BeginningAct,
  Channel,
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
  Locks,
  MessageEntry,
  Notice,
  NoticeEntry,
  OutboxItem,
  ReadonlySignal,
  Refusal,
  Role,
  ShareTabs,
  WireNote,
} from './state/model.ts'
export { type ShareOptions, shareTabs } from './state/share.ts'
