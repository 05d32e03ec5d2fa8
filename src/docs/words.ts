// Holds the words that stand around a document.

export const words = {
  documents: 'Documents',
  search: 'Search',
  searchLabel: 'Search the documents',
  skip: 'Skip to the text',
  sections: 'On this page',
  turn: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  more: 'More',
  markdown: 'This page as Markdown',
  resultsFor: (query: string) => `Results for “${query}”`,
  nothing: 'No document has these words.',
  needsScript: 'The search needs JavaScript.',
  copy: 'Copy',
  copied: 'Copied',
} as const
