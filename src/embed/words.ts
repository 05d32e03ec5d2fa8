// The launcher's words. It is drawn before anything else is loaded, so they are here and not in the panel.

const WORDS: Readonly<Record<string, readonly [open: string, close: string, chat: string]>> = {
  en: ['Open chat', 'Close chat', 'Chat'],
  de: ['Chat öffnen', 'Chat schließen', 'Chat'],
  ar: ['فتح المحادثة', 'إغلاق المحادثة', 'محادثة'],
}

/** For a BCP 47 tag, by its language; English where it has none. */
export function launcherWords(locale: string): { open: string; close: string; chat: string } {
  const [open, close, chat] = WORDS[locale.toLowerCase().split('-')[0] ?? ''] ?? WORDS.en ?? ['', '', '']
  return { open, close, chat }
}
