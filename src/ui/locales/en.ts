// Every word the panel says. English is the source: the other locales have exactly these. Numbers, times and sizes
// arrive as `Intl` writes them, a count with the category of its plural.

import { enCore } from './en-core.ts'

export const en = {
  ...enCore,
  endChat: 'End chat',
  endChatSure: 'End this chat now?',
  deleteChat: 'Delete this chat',
  deleteChatSure: 'Delete it for good?',
  searchChat: 'Search this chat',
  closeSearch: 'Close search',
  found: (place: string, all: string) => `${place} of ${all}`,
  nothingFound: 'Nothing found',
  downloadText: 'Download as text',
  downloadPage: 'Download as a web page',
  languages: 'Language',
  sound: 'Sound',
  announcements: 'Screen reader',
  announceAll: 'Reads whole answers',
  announceBrief: 'Reads the first sentence',
  announceNone: 'Reads no answers',
  back: 'Back',
  previous: 'Previous',
  next: 'Next',
  askAgain: 'Ask again',
  taskDone: 'Done',
  taskOpen: 'Not done',
  copyAnswer: 'Copy answer',
  goodAnswer: 'Good answer',
  badAnswer: 'Bad answer',
  attachments: 'Attachments',
  openLink: 'Open',
  waitingForPerson: 'You’re waiting for a person.',
  queueLeft: 'You left the queue. You can continue here.',
  queueMessage: 'Saved. The person who joins will read it.',
  stopped: 'Stopped',
  leaveQueue: 'Leave the queue',
  rateChat: 'How was this chat?',
  rateStars: (shown: string, form: Intl.LDMLPluralRule) => `${shown} ${form === 'one' ? 'star' : 'stars'}`,
  rateGood: 'Good',
  rateBad: 'Bad',
  rateComment: 'Anything to add? (optional)',
  rateSend: 'Send rating',
  rateThanks: 'Thank you for your rating.',
  notNow: 'Not now',
  dividerExpired: 'The last chat ended due to inactivity',
  dividerEnded: 'A new chat starts here',
  dividerRestarted: 'A new chat starts here',
  dividerLost: 'The last chat couldn’t be continued, so a new one starts here',
  handoff: 'You’ll be connected to a person',
  handoffFailed: 'Nobody is available to take over. You can continue here.',
  handoffClient: 'This continues outside the chat',
  liveJoined: (name: string) => `${name} joined`,
  liveLeft: (name: string) => `${name} left`,
  copy: 'Copy',
  copied: 'Copied',
  showImage: (title: string) => `Show image: ${title}`,
  image: 'Image',
  suggestions: 'Suggestions',
  moreSuggestions: (shown: string, form: Intl.LDMLPluralRule) =>
    `${shown} ${form === 'one' ? 'suggestion' : 'suggestions'}`,
  code: 'Code',
  codeLines: (shown: string, form: Intl.LDMLPluralRule) =>
    `Code, ${shown} ${form === 'one' ? 'line' : 'lines'}.`,
}

export type Words = typeof en

/** What differs with the category of a plural. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>
