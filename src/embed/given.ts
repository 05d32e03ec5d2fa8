// Reads what the page gives a panel to start with.

import type { PanelSettings } from '../ui/index.ts'
import { type Looks, type Start, text } from './channel.ts'

/** Options that few sites give, whose reading is a part of its own. */
export const DETAILS =
  /^(agentName|avatar|greeting|disclaimer|privacyUrl|termsUrl|words|tokens|without|form|hours|timeZone|outsideHours|starters|rating|enterSends)$/
export const hasDetails = (looks: Looks): boolean => Object.keys(looks).some((name) => DETAILS.test(name))

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
  }) satisfies PanelSettings

/** Whether the page gives an option that only the reception reads: consent, or one of the details. */
export const needsReception = (looks: Looks): boolean => looks.consent !== undefined || hasDetails(looks)
