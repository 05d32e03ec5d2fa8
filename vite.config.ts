// One build for each thing that comes out of this tree, told apart by mode. `npm run build` runs them all.

import { fileURLToPath } from 'node:url'
import { type MinifyOptions, minify } from 'terser'
import terser from 'terser/package.json' with { type: 'json' }
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const SOCKET = 'node_modules/reconnecting-websocket/reconnecting-websocket.ts'
/** Members of its class that nothing here calls. A bundler leaves out functions, never methods. */
const UNUSED = [
  'static get CLOSING',
  'get CLOSING',
  'get binaryType',
  'set binaryType',
  'get retryCount',
  'get bufferedAmount',
  'get extensions',
  'get protocol',
  'get url',
  'public reconnect',
  'public dispatchEvent',
  'public removeEventListener<',
  'private _debug',
]
/** Leaves out of reconnecting-websocket what nothing calls, and its log, which prints the token. */
const slimSocket: Plugin = {
  name: 'slim-socket',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(SOCKET)) return
    let slim = code.replace(/^ *this\._debug\(.*\);\n/gm, '')
    for (const member of UNUSED) {
      const from = slim.indexOf(`\n    ${member}`)
      const to = slim.indexOf('\n    }\n', from)
      if (from < 0 || to < 0) throw new Error(`reconnecting-websocket has no ${member} any more`)
      slim = slim.slice(0, from) + slim.slice(to + 6)
    }
    if (slim.includes('_debug')) throw new Error('reconnecting-websocket logs in a way that is not known')
    // Names that are private to the language become short ones.
    return {
      code: slim.replace(/\bprivate (readonly )?_/g, '$1#').replace(/\bthis\._/g, 'this.#'),
      map: null,
    }
  },
}

const PARSER = 'node_modules/markdown-it/dist/markdown-it.mjs'
const DEFINE = /function _defineProperty\(e, r, t\) \{\n[^}]*\}[^}]*\n\}/
/** What writes HTML, which nobody asks it for. */
const RENDERER = [/\bnew Renderer\(\)/, /\n_defineProperty\(MarkdownIt, "Renderer", Renderer\);/]
/** Rules of the parser that answers are read without: HTML and typography are off, and addresses and references have code of their own. */
const UNUSED_RULES = ['linkify', 'replacements', 'smartquotes', 'reference', 'html_block', 'html_inline']
/**
 * Leaves out what writes HTML, and rules of markdown-it that are off. It is also compiled for browsers without class fields: it defines each by a function
 * of its own, ten for every token.
 */
const slimParser: Plugin = {
  name: 'slim-parser',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(PARSER)) return
    if (!DEFINE.test(code)) throw new Error('markdown-it defines its fields in another way now')
    let slim = code.replace(DEFINE, 'function _defineProperty(e, r, t) { e[r] = t }')
    for (const use of RENDERER) {
      if (!use.test(slim)) throw new Error('markdown-it has its renderer in another way now')
      slim = slim.replace(use, (found) => (found.startsWith('new') ? 'undefined' : ''))
    }
    for (const rule of UNUSED_RULES) {
      const entry = new RegExp(`\\n\\t\\[\\s*"${rule}",\\s*[\\w$]+(,\\s*\\[[^\\]]*\\])?\\s*\\],?(?=\\n)`, 'g')
      if (!entry.test(slim)) throw new Error(`markdown-it has no rule ${rule} any more`)
      slim = slim.replace(entry, '')
    }
    return { code: slim, map: null }
  },
}

/** lightningcss's `Features.LightDark`. */
const LIGHT_DARK = 2 ** 20

const TERSER: MinifyOptions = { ecma: 2020, compress: { passes: 3, lhs_constants: false } }
/** Makes what Vite has minified smaller still, by one kilobyte in sixty. */
const smaller: Plugin = {
  name: 'smaller',
  // Names carry a hash of the code before this step, and browsers keep what has such a name for a year.
  augmentChunkHash: () => terser.version + JSON.stringify(TERSER),
  async generateBundle({ format }, bundle) {
    const module = format === 'es'
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk') continue
      const { code } = await minify(part.code, { ...TERSER, module })
      // All of it is needed at once: the browser compiles it while it comes, and not each function when it is first called.
      part.code = `${part.name === 'panel' ? '//# allFunctionsCalledOnLoad\n' : ''}${code ?? part.code}`
    }
  },
}

/** Puts the bundler's own helper, a chunk of one function, into the parts that import it: they wait for one request less. */
const withHelper: Plugin = {
  name: 'with-helper',
  generateBundle(_, bundle) {
    const [helper] = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('rolldown-runtime-'))
    if (helper?.type !== 'chunk') return
    const [code, exported] = helper.code.split(/export\{(\w+)(?: as t)?\};?\s*$/)
    const imported = /import\{(?:t as )?(\w+)\}from"\.\/rolldown-runtime-[\w-]+\.js";/
    if (!exported) throw new Error('The helper of the bundler has other exports now')
    for (const part of Object.values(bundle))
      if (part.type === 'chunk' && part.imports.includes(helper.fileName)) {
        const whole = part.code.replace(imported, `const $1=(()=>{${code};return ${exported}})();`)
        if (whole === part.code) throw new Error(`${part.fileName} imports the helper in another way now`)
        part.code = whole
      }
    delete bundle[helper.fileName]
  },
}

/** What the browser's bundles have in common. */
const browser: UserConfig = {
  root: at('.'),
  publicDir: false,
  resolve: {
    alias: {
      // The parser's largest parts are ones that answers do not need, or that browsers have.
      entities: at('src/markdown/entities.ts'),
      'linkify-it': at('src/ui/stubs/linkify-it.ts'),
      mdurl: at('src/ui/stubs/mdurl.ts'),
      'punycode.js': at('src/ui/stubs/punycode.ts'),
      'uc.micro': at('src/ui/stubs/uc.micro.ts'),
      // Its source: what it ships is compiled for browsers without classes.
      'reconnecting-websocket': at(SOCKET),
    },
  },
  plugins: [slimSocket, slimParser],
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

const modes: Readonly<Record<string, UserConfig>> = {
  /** The script tag: one classic script. */
  loader: {
    ...browser,
    plugins: [...(browser.plugins ?? []), smaller],
    build: {
      ...browser.build,
      outDir: at('dist'),
      // By the plugin alone: what another one has shortened before is longer in the end.
      minify: false,
      // A library, so that nothing of Vite's own gets into it.
      lib: { entry: at('src/embed/script.ts'), formats: ['iife'], name: 'foyer', fileName: () => 'foyer.js' },
    },
  },
  /** The frame, and what the page loads on intent. Their names stay, their parts carry hashes. */
  assets: {
    ...browser,
    plugins: [...(browser.plugins ?? []), withHelper, smaller],
    base: './',
    build: {
      ...browser.build,
      outDir: at('dist/assets'),
      lib: { entry: { frame: at('src/embed/frame.ts'), place: at('src/embed/place.ts') }, formats: ['es'] },
      rolldownOptions: {
        checks: { pluginTimings: false },
        // Importing does nothing, but for the outermost files: what stands first loads without what it shares an index with.
        treeshake: { moduleSideEffects: (id) => !/\/src\/(?!embed\/frame\.ts)/.test(id) },
        // What the parts of an entry share with it stays in it: one request, not three in a row.
        preserveEntrySignatures: 'allow-extension',
        output: {
          minify: true,
          entryFileNames: '[name].js',
          chunkFileNames: ({ name }) =>
            name === 'markdown' || name === 'rest' ? '[name].js' : '[name]-[hash:8].js',
          // A part with all that it needs compresses better, and is one request.
          codeSplitting: {
            groups: [
              {
                name: 'first',
                test: /src.(ui.shell|ui.persist|ui.locale|embed.given|embed.kept|embed.storage)\.ts$/,
                priority: 3,
              },
              {
                name: 'dress',
                test: /src.(embed.dress|ui.paint|ui.accent|ui.door-parts|ui.door-settings|ui.languages)\.ts$/,
                priority: 3,
                // It imports by the index, and takes only these of it.
                includeDependenciesRecursively: false,
              },
              { name: 'panel', test: /src.embed.panel\.ts$|src.ui.mount\.tsx$/, priority: 2 },
              { name: 'rest', test: /src.ui.rest\.(ts|css)/, priority: 1.5 },
              { name: 'markdown', test: /src.ui.answer\.ts$/, priority: 1 },
            ],
          },
        },
      },
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
          chat: at('src/chat/index.ts'),
          protocol: at('src/protocol/package.ts'),
        },
        formats: ['es'],
      },
      rolldownOptions: { output: { chunkFileNames: 'parts/[name]-[hash:8].js' } },
    },
  },
  /** For Node: our own code in it, dependencies beside it. */
  server: {
    root: at('.'),
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
          cli: at('src/cli/main.ts'),
        },
        external: [/^[^./]/],
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
