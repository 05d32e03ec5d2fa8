// The script of the page, `foyer.js`.

import { startScript } from './start.ts'

startScript()
