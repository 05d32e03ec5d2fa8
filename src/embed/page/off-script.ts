// The script of the page where the BFF has switched chats off, in place of `foyer.js`.

import { amendBy } from './off.ts'
import { startScript } from './start.ts'

// The BFF writes names in place of this one, which cannot be a name.
startScript(amendBy(['#off']))
