// A whole visit in Chromium, framed and unframed: by keyboard on a desktop, by touch on a phone. What is found is found by its role
// and name; after each step the newest line can be read, and the focus is where it belongs.

import { isLong } from '../long.ts'
import { startChromium } from './chromium.ts'
import { visits } from './journey.ts'

visits('Chromium', { start: startChromium }, [
  { hands: 'keys', size: 'desktop', isolations: isLong ? ['frame', 'none'] : ['frame'] },
  { hands: 'touch', size: 'phone', isolations: isLong ? ['frame', 'none'] : ['none'] },
])
