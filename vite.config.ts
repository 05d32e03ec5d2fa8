// One build for each thing that comes out of this tree, told apart by mode. `npm run build` runs them all.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * What stands for the parser's largest parts, which answers do not need or which engines have. Panel, server and tests read Markdown
 * with the same ones, so that a server knows what a browser will draw.
 */
export const PARSER = {
  entities: at('src/markdown/entities.ts'),
  'linkify-it': at('src/markdown/stubs/linkify-it.ts'),
  mdurl: at('src/markdown/stubs/mdurl.ts'),
  'punycode.js': at('src/markdown/stubs/punycode.ts'),
  'uc.micro': at('src/markdown/stubs/uc.micro.ts'),
}
/** Of a server's dependencies, what is in its bundle: the parser, for the room of Markdown alone, and what stands for its parts. */
const isBundled = (id: string, importer = ''): boolean =>
  id === 'markdown-it' ? /src.markdown.[\w-]+\.ts$/.test(importer) : id in PARSER

/** lightningcss's `Features.LightDark`. */
const LIGHT_DARK = 2 ** 20

/** What the browser's bundles have in common. */
const browser: UserConfig = {
  root: at('.'),
  publicDir: false,
  resolve: {
    alias: {
      ...PARSER,
      // Its source: what it ships is compiled for browsers without classes.
      'reconnecting-websocket': at('node_modules/reconnecting-websocket/reconnecting-websocket.ts'),
    },
  },
  // Nothing is here to be inspected by the developer tools of @preact/signals.
  define: { 'process.env.NODE_ENV': '"production"', 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false' },
  // Without what stands for `light-dark()`, which is not used.
  css: { lightningcss: { exclude: LIGHT_DARK } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // The colours are mixed in OKLCH: browsers that cannot do that have no use for the substitutes of older syntax.
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    emptyOutDir: false,
    cssMinify: true,
    modulePreload: false,
    reportCompressedSize: false,
  },
  logLevel: 'warn',
}

/** One classic script. `name`: of the variable that would hold its exports. */
const classicScript = (
  entry: string,
  { folder, file, name, css }: { folder: string; file: string; name: string; css?: string },
): UserConfig => ({
  ...browser,
  build: {
    ...browser.build,
    outDir: at(folder),
    // A library, so that nothing of Vite's own gets into it.
    lib: { entry: at(entry), formats: ['iife'], name, fileName: () => file, cssFileName: css },
  },
})

/** The file of the panel, which is built before the script that asks for it. */
function panelFile(): string {
  const manifest = JSON.parse(readFileSync(at('dist/assets/manifest.json'), 'utf8'))
  return manifest[manifest['src/embed/frame/panel.ts'].imports[0]].file
}

/** One module, whose name stays. */
const oneModule = (name: string, entry: string): UserConfig => ({
  ...browser,
  build: {
    ...browser.build,
    outDir: at('dist/assets'),
    lib: { entry: { [name]: at(entry) }, formats: ['es'] },
    rolldownOptions: {
      // Importing does nothing, but for the outermost file.
      treeshake: { moduleSideEffects: (id) => !/\/src\//.test(id) || id.endsWith(entry) },
      output: { minify: true, entryFileNames: '[name].js' },
    },
  },
})

const modes: Readonly<Record<string, UserConfig>> = {
  /** The script tag. */
  loader: classicScript('src/embed/page/script.ts', { folder: 'dist', file: 'foyer.js', name: 'foyer' }),
  /** The script tag where chats are switched off. */
  off: classicScript('src/embed/page/off-script.ts', {
    folder: 'dist/assets',
    file: 'foyer-off.js',
    name: 'foyer',
  }),
  /** The calls of the service's own snippet. It can be imported too. */
  compat: classicScript('src/embed/compat.ts', {
    folder: 'dist/assets',
    file: 'compat.js',
    name: 'foyerCompat',
  }),
  /** The container for the script of 0.1, which asks for it by this name. */
  place: oneModule('place', 'src/embed/page/panel/container.ts'),
  /** Teaser, badge and preview at the launcher: few pages need them. */
  attention: oneModule('attention', 'src/embed/page/attention/attention.ts'),
  /** The script of the frame's page. It asks for the panel of its own build. */
  frame: {
    ...oneModule('first', 'src/embed/frame/first.ts'),
    plugins: [
      {
        name: 'panel',
        enforce: 'pre',
        resolveId: (id) => (id === './panel.ts' ? { id: `./${panelFile()}`, external: true } : undefined),
      },
    ],
  },
  /** The panel, in a frame and without one, and the parts that it asks for itself. */
  panel: {
    ...browser,
    base: './',
    build: {
      ...browser.build,
      outDir: at('dist/assets'),
      // By it the BFF knows what the frame's page is to ask for.
      manifest: 'manifest.json',
      lib: {
        entry: { entry: at('src/embed/frame/panel.ts'), inline: at('src/embed/frame/inline.ts') },
        formats: ['es'],
      },
      rolldownOptions: {
        checks: { pluginTimings: false },
        // Importing does nothing: what a folder's index lists beside what is used stays out.
        treeshake: { moduleSideEffects: (id) => !/\/src\//.test(id) },
        output: {
          minify: true,
          entryFileNames: ({ name }) => (name === 'inline' ? '[name].js' : '[name]-[hash:8].js'),
          chunkFileNames: '[name]-[hash:8].js',
          // One file for all that is needed to write, with the words that its parts share, and names that the frame's script knows.
          minifyInternalExports: false,
          codeSplitting: { groups: [{ name: 'panel', test: /src.(embed.frame.panel\.ts$|ui.words.)/ }] },
        },
      },
    },
  },
  /** What the pages of a static site of documents load, and their search. */
  docs: classicScript('src/docs/site/site.ts', {
    ...{ folder: 'dist/site', file: 'page.js', name: 'foyerDocsPage', css: 'site' },
  }),
  'docs-search': classicScript('src/docs/site/search-page.ts', {
    ...{ folder: 'dist/site', file: 'search.js', name: 'foyerDocsSearch' },
  }),
  /** Run by the build alone: it writes what the frame's page shows first. */
  first: {
    ...browser,
    build: {
      ...browser.build,
      target: 'node20',
      ssr: at('src/ui/first-screen.ts'),
      rolldownOptions: { output: { entryFileNames: 'first-screen.js' } },
    },
  },
  demo: {
    ...browser,
    root: at('demo'),
    base: '/',
    build: {
      ...browser.build,
      outDir: at('dist/demo'),
      assetsDir: 'demo-assets',
      rolldownOptions: {
        input: ['index', 'embed', 'inline', 'desk', 'phone', 'docs', 'gallery'].map((name) =>
          at(`demo/${name}.html`),
        ),
      },
    },
  },
  /** For apps with a bundler: everything the browser needs is in it. */
  webchat: {
    ...browser,
    build: {
      ...browser.build,
      outDir: at('dist/foyer-webchat'),
      minify: false,
      lib: {
        entry: {
          index: at('src/embed/index.ts'),
          element: at('src/embed/element/index.ts'),
          chat: at('src/chat/index.ts'),
          react: at('src/embed/react/index.ts'),
          protocol: at('src/protocol/package.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: {
        // The app's own.
        external: ['react'],
        // `'use client'` stays where it is the first line of an entry.
        checks: { moduleLevelDirective: false },
        output: { chunkFileNames: 'parts/[name]-[hash:8].js' },
      },
    },
  },
  /** For Node: our own code and the parser of answers in it, other dependencies beside it. */
  server: {
    root: at('.'),
    resolve: { alias: PARSER },
    ssr: { noExternal: ['markdown-it', ...Object.keys(PARSER)] },
    publicDir: false,
    logLevel: 'warn',
    build: {
      target: 'node20',
      outDir: at('dist/foyer-server'),
      emptyOutDir: false,
      minify: false,
      ssr: true,
      rolldownOptions: {
        // Importing it does nothing, so the client, which reads no visitors' addresses, does not load their library.
        treeshake: { moduleSideEffects: [{ test: /src.api.visitor-address\.ts$/, sideEffects: false }] },
        // An entry exports what its source does; what other chunks need of it goes into a chunk of its own.
        preserveEntrySignatures: 'strict',
        input: {
          bff: at('src/bff/index.ts'),
          client: at('src/client/package.ts'),
          runtime: at('src/runtime/package.ts'),
          agents: at('src/agents/package.ts'),
          carriers: at('src/carriers/index.ts'),
          index: at('src/cli/package.ts'),
          cli: at('src/cli/main.ts'),
          // For the build, which draws our own docs.
          'docs-site': at('src/docs/index.ts'),
        },
        external: (id, importer) => /^[^./]/.test(id) && !isBundled(id, importer),
        output: {
          format: 'es',
          // Flat: what stands beside a module (the worker of the store) is found from any of them.
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash:8].js',
        },
      },
    },
  },
}

export default defineConfig(({ mode }) => modes[mode] ?? browser)
