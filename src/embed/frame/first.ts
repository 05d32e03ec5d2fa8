// The script of the frame's page, which runs before the panel's code is here.

import { connectFrame } from './connect.ts'

connectFrame()
