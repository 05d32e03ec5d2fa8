// The script of the frame's page.

import { connectFrame } from './connect.ts'

connectFrame()
