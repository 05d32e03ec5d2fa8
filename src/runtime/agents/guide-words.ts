// What the guide says of itself. Everything else it says comes from the files.

export const GUIDE_NAME = 'Foyer guide'

export const words = {
  hello: (files: number) =>
    files === 0
      ? 'Hello! I answer questions from a folder of Markdown files, but the folder is empty. I can still show you the **tour**.'
      : `Hello! I answer questions from **${files} ${files === 1 ? 'file' : 'files'}**. Ask me anything about what they say, or take the **tour** of all that a chat can do.`,
  tour: 'Show me the tour',
  nothing: (files: number) =>
    files === 0
      ? 'I found nothing: the folder I answer from has no Markdown files.'
      : `I found nothing about that in my ${files === 1 ? 'file' : `${files} files`}. Try other words, or one of these.`,
  source: (file: string, heading: string) => `*From \`${file}\`, “${heading}”.*`,
  more: '…',
}
