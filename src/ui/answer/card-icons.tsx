// Draws the icons of an answer's cards.

import { Icon } from '../theme/icons.tsx'

export const PhoneIcon = () => (
  <Icon>
    <path d="M7 3.5 4.5 4c-.7.1-1 .7-1 1.4C3.9 11.5 8.5 16.1 14.6 16.5c.7 0 1.3-.3 1.4-1l.5-2.5-3.5-1.5-1.5 1.5A9.5 9.5 0 0 1 7 8.5L8.5 7 7 3.5Z" />
  </Icon>
)
export const ImageIcon = () => (
  <Icon>
    <rect x="3" y="4" width="14" height="12" rx="2.5" />
    <path d="m3.5 14 3.7-3.7 3 3L13 10.5l3.5 3.5M12.75 7.5h.01" />
  </Icon>
)
export const LinkIcon = () => (
  <Icon>
    <path d="M8 5H6a2.5 2.5 0 0 0-2.5 2.5V14A2.5 2.5 0 0 0 6 16.5h6.5A2.5 2.5 0 0 0 15 14v-2M11 3.5h5.5V9M16 4l-6.5 6.5" />
  </Icon>
)
