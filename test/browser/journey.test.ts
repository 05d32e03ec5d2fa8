// A whole visit in Chromium, framed and unframed: by keyboard on a desktop, by touch on a phone. What is found is found by its role
// and name; after each step the newest line can be read, and the focus is where it belongs.

import { startChromium } from './chromium.ts'
import { visits } from './journey.ts'

visits('Chromium', { start: startChromium }, [
  { hands: 'keys', size: 'desktop', isolations: ['frame', 'none'] },
  { hands: 'touch', size: 'phone', isolations: ['frame', 'none'] },
])
