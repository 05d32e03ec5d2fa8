// Draws the icons of the demo's pages that the panel does not have.

import { Icon } from '../src/ui/theme/icons.tsx'

export const BackIcon = () => (
  <Icon>
    <path d="M12.25 5 7.25 10l5 5" />
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
export const NoteIcon = () => (
  <Icon>
    <path d="M5.5 3.5h9a1.5 1.5 0 0 1 1.5 1.5v7l-4.5 4.5h-6A1.5 1.5 0 0 1 4 15V5a1.5 1.5 0 0 1 1.5-1.5ZM11.5 16.5V12H16M7 7.5h6M7 10.5h3" />
  </Icon>
)
export const ReplyIcon = () => (
  <Icon>
    <path d="M11 2.75 5 11h4.25L8.5 17.25 15 8.75h-4.5L11 2.75Z" />
  </Icon>
)
