// Holds what the page says of the panel: its looks, and the site's own options, read once for each change.

import { opensAt, type PanelSettings, readHours } from '../../../ui/index.ts'
import type { Looks } from '../../channel.ts'
import type { PanelEnvironment } from '../chat/chat-controller.ts'
import { settingsOf } from '../chat/start.ts'
import { readDetails } from './details.ts'

type OfPage = NonNullable<PanelEnvironment['page']>

export type Site = {
  looks(): Looks
  change(next: Looks): void
  /** `withdraw`: the visitor can withdraw consent. */
  settings(withdraw: (() => void) | undefined): PanelSettings
  /** What the steps before a chat are drawn by. */
  steps(): ReturnType<typeof readDetails>['prechat']
  home(): (() => Node | undefined) | undefined
  /** Whether anything may stand before a new chat. */
  hasSteps(): boolean
  /** Whether the office is closed, and no chat begins then. `now`: milliseconds since 1970. */
  isClosed(now: number): boolean
  hasHome(): boolean
}

/** `root`: where the panel and the steps inherit the site's tokens. */
export function createSite(root: Document | ShadowRoot, page: OfPage | undefined, given: Looks): Site {
  const { style } = root instanceof Document ? root.documentElement : (root.host as HTMLElement)
  let looks = given
  let details = readDetails(given)
  function setTokens(value?: string): void {
    for (const [name, own] of details.tokens) style.setProperty(`--foyer-${name}`, value ?? own)
  }
  setTokens()
  const hasHome = () => details.prechat.starters.length > 0 || page?.render?.home !== undefined
  return {
    looks: () => looks,
    change(next) {
      looks = next
      // An empty value removes a property.
      setTokens('')
      details = readDetails(next)
      setTokens()
    },
    settings(withdraw) {
      const { words, register, rating, enterSends, site } = details
      return {
        ...settingsOf(looks),
        words,
        register,
        rating,
        enterSends,
        site: { ...site, ...page, withdraw },
      }
    },
    steps: () => details.prechat,
    home: () => page?.render?.home,
    hasSteps: () => details.prechat.closes || details.prechat.form.length > 0 || hasHome(),
    isClosed(now) {
      const { closes, hours, timeZone } = details.prechat
      return closes && opensAt(readHours(hours), timeZone, now) !== undefined
    },
    hasHome,
  }
}
