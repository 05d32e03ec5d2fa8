// The same set as the panel's: 20 px, stroke 1.75, round caps, drawn as elements.

import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export const SendIcon = () => (
  <Icon>
    <path d="M10 15.5v-11M5.25 9.25 10 4.5l4.75 4.75" />
  </Icon>
)
export const BackIcon = () => (
  <Icon>
    <path d="M12.25 5 7.25 10l5 5" />
  </Icon>
)
export const PictureIcon = () => (
  <Icon>
    <rect x="3" y="4" width="14" height="12" rx="2.5" />
    <path d="m3.5 14 3.7-3.7 3 3L13 10.5l3.5 3.5M12.75 7.5h.01" />
  </Icon>
)
export const PlaceIcon = () => (
  <Icon>
    <path d="M10 17s5.25-4.6 5.25-8.75a5.25 5.25 0 0 0-10.5 0C4.75 12.4 10 17 10 17Z" />
    <circle cx="10" cy="8.25" r="1.75" />
  </Icon>
)
export const TapIcon = () => (
  <Icon>
    <rect x="3" y="6" width="14" height="8" rx="4" />
    <path d="M7 10h6" />
  </Icon>
)
export const CallIcon = () => (
  <Icon>
    <path d="M7 3.5 4.5 4c-.7.1-1 .7-1 1.4C3.9 11.5 8.5 16.1 14.6 16.5c.7 0 1.3-.3 1.4-1l.5-2.5-3.5-1.5-1.5 1.5A9.5 9.5 0 0 1 7 8.5L8.5 7 7 3.5Z" />
  </Icon>
)
export const DeskIcon = () => (
  <Icon>
    <path d="M4 14.5a6 6 0 0 1 12 0M2.75 14.5h14.5M10 8.5V6.25M8.25 6.25h3.5" />
  </Icon>
)
export const MessageIcon = () => (
  <Icon>
    <path d="M5.5 4h9A2.5 2.5 0 0 1 17 6.5v5a2.5 2.5 0 0 1-2.5 2.5H9l-3.75 3v-3A2.5 2.5 0 0 1 3 11.5v-5A2.5 2.5 0 0 1 5.5 4Z" />
  </Icon>
)
