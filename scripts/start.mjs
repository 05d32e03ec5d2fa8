// `npm start`: sets itself up, builds if a source has changed, and runs everything in this process.

import { ensureDependencies, ensureNode, root } from './setup.mjs'

ensureNode()
ensureDependencies()
const { buildIfStale } = await import('./build.mjs')
try {
  await buildIfStale()
} catch (error) {
  console.error('The build failed:', error)
  process.exit(1)
}
if (process.env.FOYER_DEMO === undefined) {
  process.env.FOYER_DEMO = '1'
  process.env.FOYER_DEMO_BY = 'start'
}
await import(`${root}dist/foyer-server/cli.js`)
