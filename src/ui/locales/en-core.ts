// The words that the panel needs before anything else is loaded, and while nothing else can be: in English. en.ts has them all.

export const enCore = {
  /** Whose plural rules the words follow. */
  language: 'en',
  direction: 'ltr' as 'ltr' | 'rtl',
  chat: 'Chat',
  conversation: 'Conversation',
  message: 'Message',
  placeholder: 'Write a message…',
  send: 'Send',
  stop: 'Stop answering',
  closeChat: 'Close chat',
  menu: 'More',
  assistant: 'Assistant',
  person: 'A person',
  statusConnecting: 'Connecting…',
  statusReady: 'AI assistant · replies instantly',
  statusThinking: 'Thinking…',
  statusTyping: 'Typing…',
  statusOffline: 'Offline',
  statusEnded: 'Chat ended',
  statusLive: 'You’re talking to a person',
  statusHandoff: 'Looking for a person…',
  disclosure: 'You’re talking to an AI assistant.',
  smallPrint: 'AI can make mistakes. Check what matters.',
  smallPrintLive: 'You’re talking to a person.',
  loading: 'The conversation is loading',
  you: 'You',
  said: (name: string) => `${name} said:`,
  notSent: 'Not sent',
  retry: 'Retry',
}

export type CoreWords = typeof enCore
