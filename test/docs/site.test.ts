// A folder of Markdown files as a static site: what is written, what links lead to, and what is refused.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  DocsError,
  drawPage,
  drawSite,
  readContents,
  type SiteOptions,
  writeSite,
} from '../../src/docs/index.ts'

let root = ''
let folder = ''
let assets = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foyer-site-'))
  folder = join(root, 'docs')
  assets = join(root, 'assets')
  for (const name of ['page.js', 'search.js', 'site.css']) put(`../assets/${name}`, name)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const draw = (options: Partial<SiteOptions> = {}) => drawSite({ folder, ...options })
const flaws = async () => (await draw()).flaws
async function page(path: string, options: Partial<SiteOptions> = {}): Promise<string> {
  const { texts, flaws } = await draw(options)
  expect(flaws).toEqual([])
  return texts.get(path) ?? ''
}
const linksIn = (html: string) => [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to)
const main = (html: string) => /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''

describe('a site', () => {
  it('has a page for each document, its Markdown, a search, and texts for programs', async () => {
    put('about.md', '---\ntitle: Larkspur\nasked:\n  - who are you\n---\nWe mend bicycles. We sell bells.\n')
    put('prices/tyres.md', '# Tyres\n\nA tyre costs 20.\n')
    const { texts, pages, flaws } = await draw({ origin: 'https://docs.example.com/help' })
    expect(flaws).toEqual([])
    expect(pages).toBe(2)
    expect([...texts.keys()].sort()).toEqual([
      'about.html',
      'about.md',
      'index.html',
      'llms-full.txt',
      'llms.txt',
      'prices/tyres.html',
      'prices/tyres.md',
      'site/index.js',
      'site/search.html',
      'sitemap.xml',
    ])
    expect(texts.get('about.md')).toBe('We mend bicycles. We sell bells.\n')
    expect(texts.get('index.html')).not.toContain('who are you')
    expect(texts.get('llms.txt')).toBe(
      '# Larkspur\n\n> We mend bicycles.\n\n## Documents\n\n- [Larkspur](https://docs.example.com/help/about.md): We mend bicycles.\n\n## Prices\n\n- [Tyres](https://docs.example.com/help/prices/tyres.md): A tyre costs 20.\n',
    )
    expect(texts.get('sitemap.xml')).toContain('<loc>https://docs.example.com/help/prices/tyres.html</loc>')
    expect(texts.get('index.html')).toContain('<link rel="canonical" href="https://docs.example.com/help/">')
    expect(texts.get('sitemap.xml')).toContain('<loc>https://docs.example.com/help/</loc>')
    expect((await draw()).texts.has('sitemap.xml')).toBe(false)
    const entries = JSON.parse((texts.get('site/index.js') ?? '').replace('globalThis.foyerDocs = ', ''))
    expect(entries[1]).toEqual({
      title: 'Tyres',
      heading: 'Tyres',
      address: 'prices/tyres.html#tyres',
      text: 'A tyre costs 20.',
    })
  })

  it('links by relative addresses alone, and its pages run no script but their own', async () => {
    put('README.md', '# Home\n\n<script>x()</script> <img src=x onerror=x()>\n\n[x](javascript:x())\n')
    put(
      'deep/er/page one.md',
      '# "One"\n\n![A bell](../../bell.png) ![Far](https://pictures.example.com/a.png)\n',
    )
    put('bell.png', 'png')
    const html = await page('deep/er/page one.html')
    for (const link of linksIn(html)) expect(link).not.toMatch(/^\/|^\w+:(?!\/\/pictures|,)/)
    expect(linksIn(html)).toEqual(
      expect.arrayContaining([
        '../../index.html',
        '../../site/page.js',
        '../../site/search.html',
        '../../bell.png',
        'page%20one.md',
      ]),
    )
    expect(html).toContain('<title>&quot;One&quot; – Home</title>')
    expect(html).toContain(
      "content=\"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https://pictures.example.com;",
    )
    const home = await page('index.html')
    expect(home).not.toMatch(/<script(?! src)|<img|<[^>]*\s(?:on\w+|style)=|="javascript:/)
    expect(home).toContain('&lt;script&gt;')
  })

  it('follows contents.txt, else folders', async () => {
    put('b.md', '# Bells')
    put('a-few/c.md', '# Chains')
    put('a-few/README.md', '# A few')
    const groups = (html: string) =>
      [...html.matchAll(/<p id="group\.\d">([^<]+)/g)].map(([, label]) => label)
    expect(groups(await page('b.html'.replace('b', 'index')))).toEqual(['A few'])
    put('contents.txt', 'Sounds & more\n  b\n')
    expect(groups(await page('index.html'))).toEqual(['Sounds &amp; more', 'A few'])
    put('contents.txt', 'Sounds\n  b\n\n  gone.md\n')
    expect(await flaws()).toEqual(['contents.txt:4: there is no page gone.md'])
  })

  it('says in which language and direction a page is written', async () => {
    put('index.md', '# Home\n\nText.')
    put(
      'a.md',
      '# دراجات\n\nنصلح الدراجات `npm start` كل يوم.\n\n```sh\nnpm start and many more words in code\n```\n',
    )
    put('b.md', '---\nlang: fa\n---\n# Bicycle\n')
    put('c.md', '# Bicycle\n')
    put('d.md', '# אופניים\n\nתיקון [x](https://example.com/a-long-address-in-latin-letters-alone)\n')
    expect(await page('index.html')).toContain('<html lang="en" dir="ltr">')
    expect(await page('a.html')).toContain('<html lang="ar" dir="rtl">')
    expect(await page('b.html')).toContain('<html lang="fa" dir="rtl">')
    expect(await page('c.html', { language: 'pl' })).toContain('<html lang="pl" dir="ltr">')
    expect(await page('d.html')).toContain('<html lang="he" dir="rtl">')
  })

  it('is refused in a language that is none', async () => {
    put('a.md', '# A')
    for (const language of ['', 'english', 'en_US', 'x" onload="y'])
      await expect(draw({ language })).rejects.toThrow(/^The language ".*" is not a language tag/)
    for (const lang of ['english', 'en_US', 'x" onload="y']) {
      put('a.md', `---\nlang: ${lang}\n---\n# A`)
      expect(await flaws()).toEqual(['a.md:1: lang: is not a language tag such as en or pt-BR'])
    }
  })

  it('tells which front matter cannot be read, and which files are left out', async () => {
    put('a.md', '---\ntitle: [A\n---\n# B\n')
    put('b.md', `---\ntitle: ${'b'.repeat(140_000)}\n---\n# B\n`)
    put('c.md', 'c'.repeat(1024 * 1024 + 1))
    expect(await flaws()).toEqual([
      'c.md: the file is larger than 1 MB',
      expect.stringMatching(/^a\.md:1: the front matter is not valid YAML/),
      'b.md:1: the front matter is longer than 131072 characters',
    ])
  })

  it('has the title of its front matter, and a description from the text below its heading', async () => {
    put('a.md', '---\ntitle: All prices\n---\n# Prices\n\nA tyre costs 20. A bell is free.\n')
    put('b.md', '---\ntitle: Nothing yet\n---\n# Bells\n')
    put('c.md', '## A section\n\nText.\n')
    const { texts } = await draw()
    expect(texts.get('llms.txt')?.split('\n').slice(-4)).toEqual([
      '- [All prices](a.md): A tyre costs 20.',
      '- [Nothing yet](b.md)',
      '- [C](c.md)',
      '',
    ])
    expect(texts.get('index.html')).toContain('<meta name="description" content="A tyre costs 20.">')
  })

  it('reads again only the files that changed, and draws a page as often as it is asked for', async () => {
    put('a.md', '# A\n\n[b](b.md) ![c](c.png)\n')
    put('b.md', '# B\n')
    const earlier = await readContents(folder)
    put('b.md', '# B, longer\n')
    const contents = await readContents(folder, { earlier })
    expect(contents.documents.map(({ title }) => title)).toEqual(['A', 'B, longer'])
    expect(contents.documents[0]).toBe(earlier.documents[0])
    expect(contents.documents[1]).not.toBe(earlier.documents[1])
    const [a] = contents.documents
    const drawn = () => a && linksIn(drawPage(a, ({ to }) => `x/${to}`))
    expect([drawn(), drawn()]).toEqual([
      ['x/b.md', 'x/c.png'],
      ['x/b.md', 'x/c.png'],
    ])
  })

  it('shows pictures of other sites by https: alone, and lets no address extend its policy', async () => {
    put(
      'good.md',
      '![a](https://a.example.com:8443/x.png) ![b](<https://[2001:db8::1]/x.png>) ![c](data:image/png;base64,AA==)',
    )
    expect(await page('index.html')).toContain(
      "img-src 'self' data: https://a.example.com:8443 https://[2001:db8::1]; base-uri",
    )
    const bad = [
      'https://a;script-src-elem/x.png',
      "https://a'unsafe-inline'/x.png",
      'https://a,b/x.png',
      'https://*/x.png',
      'http://a.example.com/x.png',
      '//a.example.com/x.png',
      'ftp://a.example.com/x.png',
      'https://',
    ]
    put('good.md', bad.map((to) => `![a](<${to}>)`).join('\n'))
    const { texts, flaws } = await draw()
    expect(flaws).toEqual(
      bad.map((to, index) => `good.md:${index + 1}: ${to} is not a picture at https:// and a host`),
    )
    expect(texts.get('index.html')).toContain("img-src 'self' data:; base-uri")
  })

  it('gives each heading an anchor that no other has', async () => {
    put('a.md', '# a\n\nx\n\n# a\n\nx\n\n# a 1\n\nx\n\n## ???\n\nx\n\n## !!!\n\nx\n\n## Section\n\nx\n')
    const { texts } = await draw()
    const slugs = ['a', 'a-1', 'a-1-1', 'section', 'section-1', 'section-2']
    const ids = [...main(texts.get('index.html') ?? '').matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual(slugs)
    expect(texts.get('site/index.js')?.match(/(?<=index\.html#)[\w-]+/g)).toEqual(slugs)
  })
})

describe('links', () => {
  it('lead to pages, headings and files, with or without an ending, in every form', async () => {
    put(
      'guide/a.md',
      '# A\n\n[b](b.md#the-end) [home](../README.md) [root](/README.md#top) [self](#a) [folder](../guide/) [bare](b) [far](https://example.com/b.md) [mail](mailto:a@example.com) [ref] [data](data.csv#1)\n\n[ref]: <../my%20page.md#über-uns>\n',
    )
    put('guide/b.md', '# B\n\n## The end\n')
    put('guide/README.md', '# Guide\n')
    put('guide/data.csv', '1')
    put('README.md', '# Home\n')
    put('my page.md', '# Über uns\n')
    const { texts, copies, flaws } = await draw()
    expect(flaws).toEqual([])
    expect(linksIn(main(texts.get('guide/a.html') ?? '')).slice(0, 10)).toEqual([
      'b.html#the-end',
      '../index.html',
      '../index.html#top',
      '#a',
      'README.html',
      'b.html',
      'https://example.com/b.md',
      'mailto:a@example.com',
      '../my%20page.html#%C3%BCber-uns',
      'data.csv#1',
    ])
    expect([...copies.keys()]).toEqual(['guide/data.csv'])
  })

  it('lead to anchors that a page sets itself, of which no other HTML is left', async () => {
    put(
      'a.md',
      '# A\n\n<a id="old-name"></a>\n\n## <a name="older"></a>New<br>name\n\n<a id="x" onclick="y()">z</a> <a id="a"></a>\n\n[1](#old-name) [2](#older) [3](#new-name) [4](#a)\n',
    )
    const html = main(await page('index.html'))
    expect(html).toContain('<a id="old-name"></a>')
    expect(html).toContain('<a id="older"></a>New<br>name</h2>')
    expect(html).toContain('&lt;a id=&quot;x&quot; onclick=&quot;y()&quot;&gt;z&lt;/a&gt;')
    expect(html.match(/ id="a"/g)).toHaveLength(1)
  })

  it('that lead nowhere are told with their file and line', async () => {
    put(
      'a.md',
      '---\ntitle: A\n---\n# A\n\nOne\ntwo [three](gone.md)\nand [four](#nowhere).\n\n| a |\n| - |\n| ![b](b.png) |\n\n- [c](c.md#no)\n\n[d](%E0) [e](sub/)\n',
    )
    put('c.md', '# C\n')
    put('sub/x.txt', '')
    expect(await flaws()).toEqual([
      'a.md:7: there is no page gone.md',
      'a.md:8: a.md has no heading #nowhere',
      'a.md:12: there is no file b.png',
      'a.md:14: c.md has no heading #no',
      'a.md:16: %E0 is not an address',
      'a.md:16: sub is not a file',
    ])
  })

  it('never take a file from outside, nor a hidden one', async () => {
    put('../secret.txt', 'secret')
    put('../secret.md', '# Secret')
    put('.env', 'KEY=1')
    put(
      'a.md',
      '[a](../secret.txt) [b](link.txt) [c](.env) [d](/../secret.txt) [e](x/%2e%2e/%2e%2e/secret.txt) [f](link.md) [g](out/secret.txt)',
    )
    symlinkSync(join(root, 'secret.txt'), join(folder, 'link.txt'))
    symlinkSync(join(root, 'secret.md'), join(folder, 'link.md'))
    symlinkSync(root, join(folder, 'out'))
    const site = await draw()
    expect(site.copies.size).toBe(0)
    expect([...site.texts.keys()].filter((name) => name.includes('link'))).toEqual([])
    expect(site.flaws).toEqual([
      'a.md:1: ../secret.txt leads out of the folder',
      'a.md:1: link.txt leads out of the folder',
      'a.md:1: .env is hidden',
      'a.md:1: there is no file secret.txt',
      'a.md:1: x/%2e%2e/%2e%2e/secret.txt leads out of the folder',
      'a.md:1: there is no page link.md',
      'a.md:1: out/secret.txt leads out of the folder',
    ])
  })

  it('cannot be true where two files of the site would have one name', async () => {
    put('a.md', '# A')
    put('b.md', '# B')
    put('b.markdown', '# B')
    put('site/search.md', '# Search')
    put('llms.md', '[the texts](llms.txt)')
    put('llms.txt', '')
    put('c.html/d.md', '# D')
    put('c.md', '# C')
    put('e.md', '# E\n\n[x](E.html/x.txt)')
    put('E.html/x.txt', '')
    expect([...(await flaws())].sort()).toEqual([
      'b.html: two files of the site have this name',
      'c.html/d.html: c.html is a file of the site',
      'c.html/d.md: c.html is a file of the site',
      'e.html: a folder of the site has this name',
      'llms.txt: two files of the site have this name',
      'site/search.html: two files of the site have this name',
    ])
  })
})

it('a link runs no script, however its scheme is written', async () => {
  put('a.md', '[a](javascript:x()) [b](<java&#9;script:x()>) [c](&#106;avascript:x()) ![e](data:text/html,x)')
  const { texts, flaws } = await draw()
  for (const to of linksIn(main(texts.get('index.html') ?? '')))
    expect(to).not.toMatch(/^[^%]*script:|^data:/)
  expect(flaws).toHaveLength(1)
})

describe('a written site', () => {
  const write = async (out: string) => writeSite(await draw(), { folder, out, assets })

  it('holds its files, and replaces an earlier one', async () => {
    put('a.md', '![b](b.png)')
    put('b.png', 'png')
    const out = join(root, 'built/site')
    await write(out)
    for (const name of ['index.html', 'a.md', 'b.png', 'site/page.js', 'site/search.js', 'site/site.css'])
      expect([name, existsSync(join(out, name))]).toEqual([name, true])
    mkdirSync(join(out, '.git'))
    writeFileSync(join(out, 'CNAME'), 'docs.example.com')
    writeFileSync(
      join(out, '.foyer-docs'),
      `${readFileSync(join(out, '.foyer-docs'), 'utf8')}../../mine.txt\n`,
    )
    writeFileSync(join(root, 'mine.txt'), 'mine')
    rmSync(join(folder, 'a.md'))
    put('c.md', '# C')
    await write(out)
    expect(['b.png', 'a.html', 'a.md'].filter((name) => existsSync(join(out, name)))).toEqual([])
    // Files of others stay, in the folder and outside of it.
    for (const name of ['CNAME', '.git', '../../mine.txt'])
      expect([name, existsSync(join(out, name))]).toEqual([name, true])
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('<h1 id="c">C</h1>')
  })

  it('replaces no other folder, and stands neither in its documents nor around them', async () => {
    put('a.md', '# A')
    put('../other/mine.txt', 'mine')
    symlinkSync(folder, join(root, 'linked'))
    put('../file', '')
    for (const out of ['file', 'file/site'])
      await expect(write(join(root, out))).rejects.toThrow(/\/file is not a folder\.$/)
    for (const out of ['other', 'docs', 'docs/site', 'docs/a/b', '.', 'linked/site'])
      await expect(write(join(root, out))).rejects.toThrow(/^The site cannot stand in|is not empty/)
    expect(existsSync(join(root, 'other/mine.txt'))).toBe(true)
    expect(existsSync(join(folder, 'a.md'))).toBe(true)
  })

  it('takes the place of an earlier one only when it is whole', async () => {
    put('a.md', '![b](b.png)')
    put('b.png', 'png')
    const out = join(root, 'site')
    await write(out)
    const before = readdirSync(out, { recursive: true }).sort()
    put('c.md', '# C')
    const site = await draw()
    await expect(writeSite(site, { folder, out, assets: join(root, 'none') })).rejects.toThrow()
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(before)
    rmSync(join(folder, 'b.png'))
    const failed = writeSite(site, { folder, out, assets })
    await expect(failed).rejects.toThrow(DocsError)
    await expect(failed).rejects.toThrow(/^The site cannot be written to [^\n]*b\.png[^\n]*$/)
    expect(readdirSync(out, { recursive: true }).sort()).toEqual(before)
    put('b.png', 'png')
    await write(out)
    expect(readdirSync(out, { recursive: true }).sort()).toEqual([...before, 'c.html', 'c.md'].sort())
  })

  it('has so much text at most', async () => {
    for (let count = 0; count <= 32; count++) {
      put(`${count}.md`, '')
      truncateSync(join(folder, `${count}.md`), 1024 * 1024)
    }
    await expect(draw()).rejects.toThrow(/or more than 32 MB of them/)
  })

  it('has so many documents at most, since each page lists all', async () => {
    for (let count = 0; count <= 1_000; count++) put(`${count}.md`, '')
    await expect(draw()).rejects.toThrow(/has more than 1000 documents/)
  })

  it('needs a folder with a document in it', async () => {
    await expect(draw({ folder: join(root, 'none') })).rejects.toThrow(/^There is no folder/)
    put('a.txt', '')
    await expect(draw()).rejects.toThrow(/^There is no Markdown file in/)
  })
})
