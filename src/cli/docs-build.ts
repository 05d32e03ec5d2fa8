// Runs `foyer-server docs build`, which makes a static site of a folder of Markdown files.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawSite, writeSite } from '../docs/index.ts'
import { StartError } from './start-error.ts'

export const DOCS_HELP = `foyer-server docs build <folder> <out> [options]

Writes the Markdown files of a folder as a static site. The second folder has to be new or empty, or to hold an earlier
site, whose files are replaced.
Each page is a .html and a .md file; llms.txt lists them for language models. The order is that of contents.txt where there is one: labels, and
below each, indented, names of pages. Front matter may name title: and lang:. HTML is shown as text.
A link to a page, a heading or a file that does not exist fails the command, and nothing is written. So do front matter that cannot be read, a
file above 1 MB, and a picture of another site without https://.

  --origin https://…  the address of the site, for canonical addresses and sitemap.xml
  --title text        the name of the site (default: the title of its first page)
  --lang tag          the language of pages that do not name theirs by lang: in their front matter`

/** Flaws that are printed; what is beyond is counted. */
const MOST_FLAWS = 100
const OPTIONS = ['origin', 'title', 'lang'] as const

export type DocsBuildOptions = {
  /** Behind `docs build`. */
  args: readonly string[]
  /** The folder of the site's built scripts and styles. */
  assets: string
  print(text: string): void
  /** Prints what is wrong. */
  log(text: string): void
}

/** Whether the arguments are this command. A folder to start with may be called docs. */
export const isDocsBuild = ([noun, verb]: readonly string[]): boolean => noun === 'docs' && verb === 'build'

/** Resolves to the exit code. */
export async function runDocsBuild({ args, assets, print, log }: DocsBuildOptions): Promise<number> {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: {
      ...{ origin: { type: 'string' }, title: { type: 'string' }, lang: { type: 'string' } },
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  if (values.help) {
    print(DOCS_HELP)
    return 0
  }
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    if (!OPTIONS.some((name) => name === token.name))
      throw new StartError(`There is no option ${token.rawName}. --help lists the options.`)
    if (!token.value) throw new StartError(`${token.rawName} needs a value.`)
  }
  const [folder, out, ...others] = positionals
  if (folder === undefined || out === undefined || others.length > 0)
    throw new StartError('Name two folders: foyer-server docs build <folder> <out>')
  const { origin, title, lang: language } = values as Partial<Record<(typeof OPTIONS)[number], string>>
  if (origin !== undefined && !isAddress(origin))
    throw new StartError(`--origin is "${origin}". It must be an address such as https://docs.example.com`)
  const site = await drawSite({ folder: resolve(folder), origin, title, language })
  if (site.flaws.length > 0) {
    for (const flaw of site.flaws.slice(0, MOST_FLAWS)) log(`${folder.replace(/[/\\]+$/, '')}/${flaw}`)
    log(`${counted(site.flaws.length, 'problem')}: nothing was written.`)
    return 1
  }
  await writeSite(site, { folder: resolve(folder), out: resolve(out), assets })
  print(`Wrote ${counted(site.pages, 'page')} and ${counted(site.copies.size, 'other file')} to ${out}`)
  return 0
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** An address of the web, to which paths can be added. */
const isAddress = (text: string): boolean => {
  const { protocol, search, hash } = URL.canParse(text) ? new URL(text) : new URL('about:blank')
  return /^https?:$/.test(protocol) && search === '' && hash === ''
}
