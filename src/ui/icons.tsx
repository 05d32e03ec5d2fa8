// One set: 20 px, stroke 1.75, round caps, drawn as elements.

import type { ComponentChildren } from 'preact'
import { ASSISTANT, CLOSE, MORE, SEND } from './icon-paths.ts'

export function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      {children}
    </svg>
  )
}

export const SendIcon = () => (
  <Icon>
    <path d={SEND} />
  </Icon>
)
export const CloseIcon = () => (
  <Icon>
    <path d={CLOSE} />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path d={MORE} stroke-width="2.5" />
  </Icon>
)
export const AssistantIcon = () => (
  <Icon>
    <path d={ASSISTANT} />
  </Icon>
)
export const StopIcon = () => (
  <Icon>
    <rect x="6.5" y="6.5" width="7" height="7" rx="1.5" fill="currentColor" />
  </Icon>
)
