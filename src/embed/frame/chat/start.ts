// Reads what the page gives a panel to start with.

import { PLATFORMS, type Platform } from '../../../protocol/index.ts'
import type { PanelSettings } from '../../../ui/index.ts'
import { type Looks, type Start, text } from '../../channel.ts'
import { bffAddress } from '../../options.ts'

/** The connector's public name; undefined: the one that needs none. */
export const connectorOf = ({ connector }: Start): string | undefined =>
  /^[\w-]+$/.test(text(connector) ?? '') ? connector : undefined
/** The beginning of all keys under which this chat stores something. */
export const prefixOf = (given: Start): string => `foyer:${connectorOf(given) ?? ''}:`

/** Where the BFF at `origin` gives access tokens for it. */
export const tokenUrlOf = (origin: string, given: Start): string =>
  bffAddress(origin, connectorOf(given), 'access-token')

/** `ios` and `android` are the names of native SDKs, and a page is none. An older loader says `ios-web` where a newer one says `ios`. */
export const platformOf = ({ platform }: Start): Platform =>
  PLATFORMS.find((each) => each === `${text(platform)?.replace('-web', '')}-web`) ?? 'web'

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
