// Puts the chat on the page as a React component, and gives its state and calls to any other component.

import { createElement, type ReactElement, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { currentFoyer, type Foyer, leave, listen, NO_CHAT, type ShowProps, show } from './page-chat.ts'

/** The options of `mount` as props, and a callback for each event: `onOpen` for `open`, `onBeforeOpen` for `before-open`. */
export type FoyerChatProps = ShowProps & {
  /** Class of the element that holds the chat of `layout: 'embedded'`, where no `target` does. */
  readonly className?: string | undefined
}

/**
 * Puts the chat on the page as long as it is rendered. Changed options reach the chat that is there, unless it can only take them from its beginning.
 * Draws nothing itself; with `layout: 'embedded'` and no `target` the element in which the chat stands.
 */
export function FoyerChat({ className, ...props }: FoyerChatProps): ReactElement | null {
  const self = useRef(null)
  const id = useId()
  const isPlace = props.layout === 'embedded' && !props.target
  useEffect(() => show(self, isPlace ? { ...props, target: `[id="${id}"]` } : props))
  useEffect(() => () => leave(self), [])
  return isPlace ? createElement('div', { id, className }) : null
}

/** The page's chat, in any component: its state, and its calls, which stay the same functions. */
export const useFoyer = (): Foyer => useSyncExternalStore(listen, currentFoyer, () => NO_CHAT)
