import { defineConfig } from 'vitest/config'
import { PARSER } from './vite.config.ts'

/** Files of the unit tests that replace a module or load it anew, and so need modules of their own. */
const MOCKING = ['test/runtime/pglite.test.ts']
const MOCKING_IN_DOM = [
  'test/embed/compat.test.ts',
  'test/embed/frame/connect.test.ts',
  'test/embed/frame/prechat/missing-steps.test.ts',
  'test/embed/frame/words-first.test.ts',
  'test/embed/page/panel/container.test.ts',
  'test/embed/page/script.test.ts',
  'test/ui/parts/parts.test.tsx',
  'test/ui/words/languages.test.ts',
]

/**
 * For the projects whose tests start a PGlite of their own, which lives for seconds: V8 would compile it a second time, for speed in
 * the long run. That is a sixth of all that these projects do.
 */
const SHORT_LIVED = ['--liftoff-only']

// One project for each kind of test: what it needs around it differs, not how it reads.
export default defineConfig({
  resolve: { alias: PARSER },
  test: {
    // Only what Vitest transforms has the aliases.
    server: { deps: { inline: ['markdown-it'] } },
    // A busy machine is no failure: what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    setupFiles: ['test/patience.ts'],
    expect: { poll: { timeout: 40_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: [
            'test/{markdown,protocol,api,client,chat,bff,agents,docs,carriers,runtime,cli,structure,scripts}/**/*.test.ts',
          ],
          exclude: MOCKING,
          // A third of the work was to start a process for each file and to import the same modules anew.
          isolate: false,
          setupFiles: ['test/as-before.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'mocking',
          environment: 'node',
          include: MOCKING,
        },
      },
      {
        // Without the aliases: the guide reads files with the whole parser, as a server does.
        test: {
          name: 'answers',
          testTimeout: 180_000,
          environment: 'node',
          include: ['test/answers/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['test/{ui,embed,demo}/**/*.test.{ts,tsx}'],
          exclude: MOCKING_IN_DOM,
          // To start a process and a document for each file was a third of the work.
          isolate: false,
          setupFiles: ['test/as-before.ts', 'test/document.ts'],
          // jsdom computes these, of a file; all others are empty.
          css: { include: /letter\.css/ },
        },
      },
      {
        extends: true,
        test: {
          name: 'dom-mocking',
          environment: 'jsdom',
          include: MOCKING_IN_DOM,
          setupFiles: ['test/document.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          testTimeout: 180_000,
          // Each file has a world of its own. The files of a worker share databases; a fifth of the work was to import the runtime anew for each.
          isolate: false,
          environment: 'node',
          include: ['test/contract/**/*.test.ts'],
          globalSetup: ['test/contract/postgres-template.ts', 'test/contract/redis-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'double',
          execArgv: SHORT_LIVED,
          environment: 'node',
          include: ['test/contract/socket.test.ts'],
          env: { FOYER_TEST_SERVICE: 'double' },
        },
      },
      {
        extends: true,
        test: {
          name: 'model',
          // Each file puts the global timers back; to import the engine anew for each was a seventh of the work.
          isolate: false,
          environment: 'node',
          include: ['test/model/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          // The files of a worker share databases.
          isolate: false,
          environment: 'node',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          isolate: false,
          environment: 'node',
          include: ['test/process/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          environment: 'node',
          include: ['test/cluster/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          execArgv: SHORT_LIVED,
          // Each file has a server of its own. The files of a worker share a browser, and the tools, which are the same for all.
          isolate: false,
          environment: 'node',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          environment: 'node',
          include: ['test/engines/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'examples',
          execArgv: SHORT_LIVED,
          environment: 'node',
          include: ['test/examples/**/*.test.ts'],
          testTimeout: 180_000,
        },
      },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})
