// Holds what the page says of the panel: its looks, and the site's own options, read once for each change.

import { opensAt, type PanelSettings, readHours } from '../../../ui/index.ts'
import type { Looks, Start } from '../../channel.ts'
import type { PanelEnvironment } from '../chat/chat-controller.ts'
import { readConfig } from '../chat/config.ts'
import { connectorOf, settingsOf } from '../chat/start.ts'
import { readDetails } from './details.ts'

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
  /** Calls back now, since the office may have opened, and again if the operator has switched the chat on. */
  recheck(onLooked: () => void): Promise<void>
  /** Whether the office is closed or the chat is off, and no chat begins then. `now`: milliseconds since 1970. */
  isClosed(now: number): boolean
  hasHome(): boolean
}

/** Panel and steps inherit the site's tokens from the root. */
export function createSite(
  { root, page, origin, automatic, off: isOff = false }: Omit<PanelEnvironment, 'port'>,
  given: Start,
): Site {
  const { style } = root instanceof Document ? root.documentElement : (root.host as HTMLElement)
  let looks: Looks = given
  let off = isOff
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
        automatic,
        site: { ...site, ...page, withdraw },
      }
    },
    // The hours do not say when a chat that is off is back.
    steps: () => (off ? { ...details.prechat, hours: undefined } : details.prechat),
    home: () => page?.render?.home,
    hasSteps: () => off || details.prechat.closes || details.prechat.form.length > 0 || hasHome(),
    async recheck(onLooked) {
      onLooked()
      if (!off) return
      const { read, enabled } = await readConfig(origin, connectorOf(given))
      off = !read || enabled === false
      if (!off) onLooked()
    },
    isClosed(now) {
      if (off) return true
      const { closes, hours, timeZone } = details.prechat
      return closes && opensAt(readHours(hours), timeZone, now) !== undefined
    },
    hasHome,
  }
}
