// Whole visits in Firefox and WebKit. Left out in WebKit on Linux:
// - touch: its driver has no touch screen.
// - a frame by keyboard alone: no script focuses anything in a frame of another site, and its Tab goes past one that holds the
//   focus itself. What is typed then still reaches the composer, as focus.test.ts shows.

import { pathOf } from '../../scripts/programs.mjs'
import { visits } from '../browser/journey.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const firefox = { start: startFirefox, missing: !pathOf('Firefox') }
const webKit = {
  start: () => startWebKit(['--enable-itp=true']),
  missing: !pathOf('WebKit'),
}

visits('Firefox', firefox, [
  { hands: 'keys', size: 'desktop', isolations: ['frame'] },
  { hands: 'touch', size: 'phone', isolations: ['none'] },
])
visits('WebKit', webKit, [
  { hands: 'keys', size: 'desktop', isolations: ['none'] },
  { hands: 'keys', size: 'phone', isolations: ['none'] },
])
