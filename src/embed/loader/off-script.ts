// The script of the page where the BFF has switched chats off, in place of `foyer.js`: their launchers are not drawn, and nothing is
// loaded for them. A script of the page can open such a chat, whose panel then says that it is closed.

import { attempt, type Options } from '../options.ts'
import { startScript } from './start.ts'

/** The public names of the connectors that are off. The BFF writes them in place of this one, which cannot be a name. */
const OFF: readonly string[] = ['#off']

function amend(options: Options, key: string, own: boolean): Options {
  const isOff = own && OFF.includes(options.connector ?? '')
  // A conversation of the page before goes on.
  if (!isOff || attempt(() => sessionStorage[key])) return options
  const { autoOpen: _, teaser: __, prepare: ___, ...others } = options
  return { ...others, launcher: 'hidden' }
}

startScript(amend)
