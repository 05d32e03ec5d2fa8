// Adds to the documents of the demo what those of a static site have.

import '../../src/docs/site/docs.css'
import '../../src/docs/site/page.ts'
