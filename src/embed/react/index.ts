// The chat as a React component. The directive lets server components import it; `react` is the app's own.
'use client'

export { FoyerChat, type FoyerChatProps, useFoyer } from './foyer-chat.ts'
export type { Foyer } from './page-chat.ts'
