// One set: 20 px, stroke 1.75, round caps, drawn as elements.

import type { ComponentChildren } from 'preact'

/** `turns`: it points the other way where one reads from right to left. */
export function Icon({ children, turns }: { children: ComponentChildren; turns?: boolean }) {
  return (
    <svg class={turns ? 'icon turns' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
      {children}
    </svg>
  )
}

export const SendIcon = () => (
  <Icon>
    <path d="M10 15.5v-11M5.25 9.25 10 4.5l4.75 4.75" />
  </Icon>
)
/** A chevron: the panel goes down, or the reader to what is below. */
export const DownIcon = () => (
  <Icon>
    <path d="m5 7.75 5 5 5-5" />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" stroke-width="2.5" />
  </Icon>
)
export const AssistantIcon = () => (
  <Icon>
    <path d="M10 3.25c.5 4 2.75 6.25 6.75 6.75-4 .5-6.25 2.75-6.75 6.75-.5-4-2.75-6.25-6.75-6.75 4-.5 6.25-2.75 6.75-6.75Z" />
  </Icon>
)
export const StopIcon = () => (
  <Icon>
    <rect x="6.5" y="6.5" width="7" height="7" rx="1.5" fill="currentColor" />
  </Icon>
)
/** A chevron towards what follows. */
export const ForwardIcon = () => (
  <Icon turns>
    <path d="m8 5 5 5-5 5" />
  </Icon>
)
export const DoneIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
)
export const ThumbIcon = ({ isDown }: { isDown: boolean }) => (
  <Icon>
    <path
      transform={isDown ? 'rotate(180 10 10)' : undefined}
      d="M6.5 9 9.25 3.5a1.75 1.75 0 0 1 1.75 1.75V8h3.75a1.5 1.5 0 0 1 1.5 1.75l-.75 5a1.5 1.5 0 0 1-1.5 1.25H6.5ZM6.5 9H4v7h2.5"
    />
  </Icon>
)
