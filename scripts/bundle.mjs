// Bundles TypeScript files for Node, so that tests and the bench can start them as processes of their own.

import { join } from 'node:path'
import { copyWorker } from './build.mjs'
import { root } from './setup.mjs'

/**
 * Writes one file for each entry. Packages stay imports, so `folder` has to be below a `node_modules`.
 * @param {string} folder
 * @param {readonly string[]} entries Paths without `.ts`, below `from`. The last part of each is the name of its file.
 * @param {string} [from] Another tree of this repository, such as one of an earlier commit.
 * @param {import('vite').Plugin[]} [plugins] Of Vite.
 */
export async function bundle(folder, entries, from = root, plugins = []) {
  const vite = await import('vite')
  await vite.build({
    configFile: false,
    root: from,
    logLevel: 'warn',
    plugins,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'node20',
      outDir: folder,
      // The folder may be outside of the tree.
      emptyOutDir: true,
      minify: false,
      ssr: true,
      rolldownOptions: {
        input: Object.fromEntries(
          entries.map((entry) => [entry.replace(/^.*\//, ''), join(from, `${entry}.ts`)]),
        ),
        external: [/^[^./]/],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash:8].js' },
      },
    },
  })
  copyWorker(folder, from)
}
