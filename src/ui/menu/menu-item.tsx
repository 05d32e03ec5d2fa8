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
}) {
  const { icon, children, onClick, opens, checked } = props
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: what is checked has the role for it
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      aria-haspopup={opens ? 'menu' : undefined}
      tabIndex={-1}
      onClick={onClick}
    >
      {icon}
      <span>{children}</span>
      {checked !== undefined && <i class={checked ? 'switch on' : 'switch'} />}
      {opens && <ForwardIcon />}
    </button>
  )
}
