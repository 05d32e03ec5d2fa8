// One set: 20 px, stroke 1.75, round caps, drawn as elements.

import type { ComponentChildren } from 'preact'

export function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      {children}
    </svg>
  )
}

export const SendIcon = () => (
  <Icon>
    <path d="M10 15.5v-11M5.25 9.25 10 4.5l4.75 4.75" />
  </Icon>
)
export const CloseIcon = () => (
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
