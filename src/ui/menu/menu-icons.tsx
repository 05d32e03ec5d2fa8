// The icons of the menu, drawn as elements.

import { Icon } from '../theme/icons.tsx'

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </Icon>
)
export const DownloadIcon = () => (
  <Icon>
    <path d="M10 3.5v9M6 9l4 4 4-4M4 16.5h12" />
  </Icon>
)
export const PrintIcon = () => (
  <Icon>
    <path d="M6.5 7V3.5h7V7M6.5 14H4.75A1.25 1.25 0 0 1 3.5 12.75v-4.5A1.25 1.25 0 0 1 4.75 7h10.5a1.25 1.25 0 0 1 1.25 1.25v4.5A1.25 1.25 0 0 1 15.25 14H13.5M6.5 11.5h7v5h-7Z" />
  </Icon>
)
export const GlobeIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.75" />
    <path d="M3.5 10h13M10 3.25c5 5 5 8.5 0 13.5-5-5-5-8.5 0-13.5Z" />
  </Icon>
)
export const VoiceIcon = () => (
  <Icon>
    <path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8ZM13 7.5a3.5 3.5 0 0 1 0 5M15 5a7 7 0 0 1 0 10" />
  </Icon>
)
export const BellIcon = () => (
  <Icon>
    <path d="M5.5 13V9a4.5 4.5 0 0 1 9 0v4l1.25 1.5H4.25ZM8.5 16.75h3" />
  </Icon>
)
export const ShieldIcon = () => (
  <Icon>
    <path d="m10 3.25 5.5 2v4.25c0 3.5-2.25 6-5.5 7.25-3.25-1.25-5.5-3.75-5.5-7.25V5.25Z" />
  </Icon>
)
export const EndIcon = () => (
  <Icon>
    <path d="M8 3.5H5.5A1.5 1.5 0 0 0 4 5v10a1.5 1.5 0 0 0 1.5 1.5H8M8.5 10h8M13.5 7l3 3-3 3" />
  </Icon>
)
export const BinIcon = () => (
  <Icon>
    <path d="M4 5.5h12M8 5.5V3.75h4V5.5M5.5 5.5l.75 11h7.5l.75-11M8.5 8.75v4.5M11.5 8.75v4.5" />
  </Icon>
)
/** A chevron towards what was before. */
export const BackIcon = () => (
  <Icon turns>
    <path d="m12 5-5 5 5 5" />
  </Icon>
)
export const ExpandIcon = () => (
  <Icon>
    <path d="M12 3.5h4.5V8M8 16.5H3.5V12M16.25 3.75 11.5 8.5M3.75 16.25 8.5 11.5" />
  </Icon>
)
export const ShrinkIcon = () => (
  <Icon>
    <path d="M16 8.5h-4.5V4M4 11.5h4.5V16M11.75 8.25 16.5 3.5M8.25 11.75 3.5 16.5" />
  </Icon>
)
