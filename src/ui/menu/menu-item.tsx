// An item of the menu: an act, a switch, or the way into a view.

import type { ComponentChildren } from 'preact'
import { ForwardIcon } from '../theme/icons.tsx'

/** One line of the menu. */
export function Item(props: {
  icon: ComponentChildren
  children: ComponentChildren
  onClick(event: MouseEvent): void
  opens?: boolean
  checked?: boolean
  isGrave?: boolean
  /** The id of what says more of it. */
  about?: string | undefined
}) {
  const { icon, children, onClick, opens, checked, isGrave, about } = props
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: what is checked has the role for it
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-describedby={about}
      aria-haspopup={opens ? 'menu' : undefined}
      tabIndex={-1}
      class={isGrave ? 'grave' : undefined}
      onClick={onClick}
    >
      {icon}
      <span id={isGrave ? 'foyer-question' : undefined}>{children}</span>
      {checked !== undefined && <i class={checked ? 'switch on' : 'switch'} />}
      {opens && <ForwardIcon />}
    </button>
  )
}
