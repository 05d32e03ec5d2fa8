// A whole visit in Firefox and in WebKit. Left out in WebKit on Linux:
// - touch: its driver has no touch screen.
// - a frame by keyboard alone: no script focuses anything in a frame of another site, and its Tab goes past one that holds the
//   focus itself. What is typed then still reaches the composer, as focus.test.ts shows.

import { program } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { visits } from './journey.ts'
import { startWebKit } from './webkit.ts'

const noFirefox = !program('firefox-esr', 'firefox')
const noWebKit = !program('WebKitWebDriver') || !program('Xvfb')
const start = () => startWebKit(['--enable-itp=true'])

visits('Firefox', [
  { hands: 'keys', size: 'desktop', isolations: ['frame'], start: startFirefox, missing: noFirefox },
  { hands: 'touch', size: 'phone', isolations: ['none'], start: startFirefox, missing: noFirefox },
])
visits('WebKit', [
  { hands: 'keys', size: 'desktop', isolations: ['none'], start, missing: noWebKit },
  { hands: 'keys', size: 'phone', isolations: ['none'], start, missing: noWebKit },
])
