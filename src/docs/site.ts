// Makes a static site of a folder of Markdown files, and checks its links.

import { existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { addressFrom } from './addresses.ts'
import { type Contents, type Document, readContents } from './contents.ts'
import { DocsError } from './docs-error.ts'
import { isLanguageTag } from './language.ts'
import { createLinks } from './links.ts'
import { drawPage } from './page.ts'
import { drawSearchPage, drawShell, type Shell } from './shell.ts'
import { drawFullText, drawIndex, drawSitemap, searchIndex } from './texts.ts'

export type SiteOptions = {
  /** The folder of Markdown files. */
  folder: string
  /** The address under which the site will stand, for canonical addresses and `sitemap.xml`. */
  origin?: string | undefined
  /** Default: the title of the first page. */
  title?: string | undefined
  /** The language of pages that do not name theirs. */
  language?: string | undefined
}

/** A site before it is written. */
export type Site = {
  /** Texts by their paths. */
  texts: ReadonlyMap<string, string>
  /** Files to copy: their paths in the site and in the folder. */
  copies: ReadonlyMap<string, string>
  pages: number
  /** What is wrong with the documents, one line each: file, line and reason. */
  flaws: readonly string[]
}

/** What the build ships for a site's pages. */
export const ASSETS = ['page.js', 'search.js', 'site.css'] as const
/** Lists the files of a site in its folder, which the next one replaces. */
const MARK = '.foyer-docs'
/** Holds the next site until all of it is written. */
const NEXT = '.foyer-docs-next'

/** Reads the documents of a folder and draws their site. */
export async function drawSite({ folder, origin, title, language }: SiteOptions): Promise<Site> {
  if (!existsSync(folder)) throw new DocsError(`There is no folder ${folder}.`)
  if (language !== undefined && !isLanguageTag(language))
    throw new DocsError(`The language ${JSON.stringify(language)} is not a language tag such as en or pt-BR.`)
  const contents = await readContents(folder, { language })
  const { documents, home } = contents
  if (!home) throw new DocsError(`There is no Markdown file in ${folder}.`)
  const pageOf = (document: Document) => htmlOf(document, contents)
  const shell: Shell = { contents, home, pageOf, title: title ?? home.title, origin: withSlash(origin) }
  const flaws = [...contents.flaws]
  const find = createLinks(folder, documents)
  const { texts, copies, take, write, copy } = createOutputs(flaws)

  for (const document of documents) {
    const page = pageOf(document)
    const pictureOrigins = new Set<string>()
    const html = drawPage(document, (target) => {
      const found = find(document, target)
      if (found.kind === 'elsewhere') {
        if (!target.isPicture || /^data:/i.test(target.to)) return target.to
        const pictureOrigin = originOf(target.to)
        if (pictureOrigin) pictureOrigins.add(pictureOrigin)
        else
          flaws.push(`${document.file}:${target.line}: ${target.to} is not a picture at https:// and a host`)
        return target.to
      }
      if (found.kind === 'nothing') {
        flaws.push(`${document.file}:${target.line}: ${found.why}`)
        return target.to
      }
      const hash = found.anchor && `#${encodeURIComponent(found.anchor)}`
      if (found.kind === 'document')
        return (found.document === document && hash) || addressFrom(page, pageOf(found.document)) + hash
      copy(found.file, join(folder, found.file))
      return addressFrom(page, found.file) + hash
    })
    const whole = drawShell(shell, document, html, pictureOrigins)
    write(page, whole)
    // The home page has its own name as well, under which others may link to it.
    if (page === 'index.html' && document.name !== 'index') write(`${document.name}.html`, whole)
    write(document.file, document.body)
  }
  write('site/search.html', drawSearchPage(shell))
  write('site/index.js', searchIndex(shell))
  write('llms.txt', drawIndex(shell))
  write('llms-full.txt', drawFullText(shell))
  if (shell.origin) write('sitemap.xml', drawSitemap(shell))
  for (const name of ASSETS) take(`site/${name}`)
  return { texts, copies, pages: documents.length, flaws }
}

/**
 * Writes a site into a folder that is new or empty, or that holds an earlier site, whose files it replaces; others stay. `assets`: the folder of
 * the built `ASSETS`.
 */
export async function writeSite(
  site: Site,
  { folder, out, assets }: { folder: string; out: string; assets: string },
) {
  const [from, to] = [await realpath(folder), await realPlace(resolve(out))]
  if (isWithin(from, to) || isWithin(to, from))
    throw new DocsError(`The site cannot stand in ${out}: choose a folder beside ${folder}.`)
  const files = await Promise.all(
    ASSETS.map(async (name) => [name, await readFile(join(assets, name))] as const),
  )
  const names = existsSync(to) ? await readdir(to) : []
  if (names.length > 0 && !names.includes(MARK))
    throw new DocsError(`${out} is not empty, and holds no earlier site. Choose a new folder.`)
  const next = join(to, NEXT)
  const place = async (path: string) => {
    const file = join(next, path)
    await mkdir(dirname(file), { recursive: true })
    return file
  }
  try {
    await mkdir(to, { recursive: true })
    await rm(next, { recursive: true, force: true })
    for (const [path, text] of site.texts) await writeFile(await place(path), text)
    for (const [path, source] of site.copies) await copyFile(await realpath(source), await place(path))
    for (const [name, content] of files) await writeFile(await place(`site/${name}`), content)
    const earlier = await filesIn(to)
    const paths = [...site.texts.keys(), ...site.copies.keys(), ...files.map(([name]) => `site/${name}`)]
    // A swap that is cut short leaves files that the next one knows.
    await writeFile(join(to, MARK), markOf([...earlier, ...paths]))
    for (const path of earlier) await rm(join(to, path), { force: true })
    for (const path of paths) {
      await mkdir(dirname(join(to, path)), { recursive: true })
      await rename(join(next, path), join(to, path))
    }
    await writeFile(join(to, MARK), markOf(paths))
  } catch (error) {
    throw new DocsError(`The site cannot be written to ${out}: ${(error as Error).message}`)
  } finally {
    await rm(next, { recursive: true, force: true })
  }
}

const markOf = (paths: readonly string[]): string =>
  `${['Written by `foyer-server docs build`, which replaces these files:', ...paths].join('\n')}\n`

/** The files of the earlier site in a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const [, ...paths] = existsSync(join(folder, MARK))
    ? (await readFile(join(folder, MARK), 'utf8')).split('\n').filter(Boolean)
    : []
  return paths.filter((path) => isWithin(folder, join(folder, path)) && path !== MARK)
}

/** Files of the site by their paths. Two that differ in case alone are one on many disks. */
function createOutputs(flaws: string[]) {
  const texts = new Map<string, string>()
  const copies = new Map<string, string>()
  const taken = new Map<string, 'file' | 'folder'>()
  function take(path: string): boolean {
    const folders: string[] = []
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.push(at)
    const same = taken.get(path.toLowerCase())
    const file = folders.find((each) => taken.get(each.toLowerCase()) === 'file')
    if (same === 'file') flaws.push(`${path}: two files of the site have this name`)
    else if (same) flaws.push(`${path}: a folder of the site has this name`)
    else if (file) flaws.push(`${path}: ${file} is a file of the site`)
    if (same || file) return false
    taken.set(path.toLowerCase(), 'file')
    for (const each of folders) taken.set(each.toLowerCase(), 'folder')
    return true
  }
  return {
    texts,
    copies,
    take,
    write: (path: string, text: string) => void (take(path) && texts.set(path, text)),
    /** A file may be asked for more than once. */
    copy: (path: string, from: string) => void (copies.has(path) || (take(path) && copies.set(path, from))),
  }
}

/** The path of a document's page. The home page is the index, unless another document has that name. */
function htmlOf(document: Document, { home, documents }: Contents): string {
  const isIndex = document === home && !documents.some(({ name }) => name.toLowerCase() === 'index')
  if (isIndex && !document.name.includes('/')) return 'index.html'
  return `${document.name}.html`
}

const withSlash = (origin: string | undefined) => origin?.replace(/\/*$/, '/')

/** Origins that a page's policy can name: one with `;` would add a directive. */
const ORIGIN = /^https:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/

/** The origin of a picture's address; undefined if the policy cannot name it. */
function originOf(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : ''
  return ORIGIN.test(origin) ? origin : undefined
}

function isWithin(outer: string, inner: string): boolean {
  const path = relative(outer, inner)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** The path without symbolic links, of which the last parts need not exist. Throws if the path leads through a file. */
async function realPlace(path: string): Promise<string> {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new DocsError(`${path} is not a folder.`)
    return realpath(path)
  }
  const parent = dirname(path)
  return parent === path ? path : join(await realPlace(parent), basename(path))
}
