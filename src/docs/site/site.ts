// Holds what each page of a site loads.

import './base.css'
import './docs.css'
import './page.ts'
