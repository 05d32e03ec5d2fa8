// Reads what the page gives a panel to start with.

import type { PanelSettings } from '../../../ui/index.ts'
import { type Looks, type Start, text } from '../../channel.ts'

export const connectorOf = ({ connector }: Start): string | undefined =>
  /^[\w-]+$/.test(text(connector) ?? '') ? connector : undefined
/** The beginning of all keys under which this chat stores something. */
export const prefixOf = (given: Start): string => `foyer:${connectorOf(given) ?? ''}:`

export const settingsOf = (looks: Looks) =>
  ({
    locale: text(looks.locale),
    theme: looks.theme === 'dark' ? 'dark' : 'light',
    accent: text(looks.accent),
    showHeader: looks.showHeader !== false,
    phone: looks.phone === true,
    closable: looks.closable !== false,
    modal: looks.modal === true,
    expanded: typeof looks.expanded === 'boolean' ? looks.expanded : undefined,
  }) satisfies PanelSettings
