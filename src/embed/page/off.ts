// Amends the options of a chat that is switched off: its launcher is not drawn, and nothing is loaded for it. A script of the page
// can open it, and where the page itself is the chat it opens as always; the panel then says that it is closed.

import { attempt, type Options } from '../options.ts'

/**
 * `off`: the public names of the connectors that are off. The chat with this key has `options`; `own`: the names are those of
 * its BFF.
 */
export const amendBy =
  (off: readonly string[]) =>
  (options: Options, key: string, own: boolean): Options => {
    const isOff = own && off.includes(options.connector ?? '')
    // A conversation of the page before goes on.
    if (!isOff || attempt(() => sessionStorage[key])) return options
    const { autoOpen: _, teaser: __, prepare: ___, ...others } = options
    return { ...others, launcher: 'hidden' }
  }
