// Defines `<foyer-chat>` where it is imported, but for a server.

import { defineElement } from './chat-element.ts'

export type { FoyerChatElement } from './tag.ts'

defineElement()
