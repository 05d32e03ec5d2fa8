// How the index of a folder follows its files: on the disk, and on one whose reports and changes come where the test says.

import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFolderWatch, DISK, type Disk, listMarkdown } from '../../src/agents/search/folder.ts'
import { type Library, type LibraryOptions, openLibrary } from '../../src/agents/search/library.ts'

let folder: string
const libraries: Library[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-library-'))
})
afterEach(() => {
  for (const each of libraries.splice(0)) each.close()
  rmSync(folder, { recursive: true })
})
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
async function open(options: Partial<LibraryOptions> = {}): Promise<Library> {
  const library = await openLibrary({ folder, ...options })
  libraries.push(library)
  return library
}
const filesWith = (library: Library, word: string) =>
  library.search(word).hits.map(({ passage }) => passage.file)

/** The real disk, with a watch that reports when the test says, and a place to act before each listing, after it, and after each read. */
function turnedByHand() {
  const at = { listing: () => {}, listed: () => {}, read: (_: string) => {} }
  let changed = () => {}
  const followed: string[][] = []
  let isClosed = false
  const disk: Disk = {
    async list(of) {
      at.listing()
      const found = await DISK.list(of)
      at.listed()
      return found
    },
    read(path) {
      const text = DISK.read(path)
      at.read(path)
      return text
    },
    watch(report) {
      changed = report
      let before: readonly string[] = []
      return {
        follow(folders) {
          const isNew = folders.some((each) => !before.includes(each))
          before = folders
          followed.push([...folders])
          return { isWhole: true, isNew }
        },
        close() {
          isClosed = true
        },
      }
    },
  }
  return { disk, at, report: () => changed(), followed, isClosed: () => isClosed }
}
/** Acts once. */
const once = (act: () => void) => {
  let isDue = true
  return () => {
    if (isDue) act()
    isDue = false
  }
}

describe('a folder', () => {
  it('is read again when the system reports a change, in a folder that is new too', async () => {
    write('a.md', '# Colour\n\nThe bicycle is red.')
    const library = await open({ now: () => 0 })
    write('a.md', '# Colour\n\nThe bicycle is blue, really.')
    await vi.waitFor(async () => {
      await library.refresh()
      expect(library.search('blue').hits).toHaveLength(1)
    })
    mkdirSync(join(folder, 'new'))
    await vi.waitFor(async () => {
      await library.refresh()
      writeFileSync(join(folder, 'new', 'b.md'), '# Lantern\n\nA light.')
      expect(library.search('lantern').hits).toHaveLength(1)
    })
  })

  it('is read again after another of the same name has taken its place', async () => {
    const put = (word: string) => {
      mkdirSync(join(folder, 'sub'), { recursive: true })
      write('sub/a.md', `# Colour\n\nThe bicycle is ${word}.`)
    }
    put('red')
    const library = await open({ now: () => 0 })
    for (const word of ['blue', 'green']) {
      rmSync(join(folder, 'sub'), { recursive: true })
      put(word)
      await vi.waitFor(async () => {
        await library.refresh()
        expect(library.search(word).hits).toHaveLength(1)
      })
      put(`${word}ish, later on`)
      await vi.waitFor(async () => {
        await library.refresh()
        expect(library.search(`${word}ish`).hits).toHaveLength(1)
      })
    }
  })

  it('is checked for changes every two seconds when the system reports none', async () => {
    write('a.md', '# Colour\n\nThe bicycle is red.')
    let now = 0
    const library = await open({ now: () => now, watch: false })
    for (const [file, round] of [
      ['b.md', 1],
      ['c.md', 2],
    ] as const) {
      write(file, '# Lantern\n\nA light.')
      now = round * 2_000 - 1
      await library.refresh()
      expect(filesWith(library, 'lantern')).toHaveLength(round - 1)
      now = round * 2_000
      // Who looks something up does not have to refresh before.
      expect(await library.lookUp('lantern')).toHaveLength(round)
      expect(filesWith(library, 'lantern')).toHaveLength(round)
    }
  })

  it('is checked every two seconds as long as it does not exist, or only a part of it is watched', async () => {
    rmSync(folder, { recursive: true })
    let now = 0
    const { disk } = turnedByHand()
    const library = await open({ now: () => now, disk })
    mkdirSync(folder)
    write('a.md', '# Lantern\n\nA light.')
    now = 2_000
    await library.refresh()
    expect(filesWith(library, 'lantern')).toEqual(['a.md'])
    const partly: Disk = {
      ...disk,
      watch: () => ({ follow: () => ({ isWhole: false, isNew: false }), close() {} }),
    }
    const other = await open({ now: () => now, disk: partly })
    write('b.md', '# Lantern\n\nA light.')
    now = 4_000
    await other.refresh()
    expect(filesWith(other, 'lantern')).toHaveLength(2)
  })

  it.each<[string, (old: Date) => void]>([
    [
      'has another length, though the time of the old one',
      (old) => {
        write('a.md', '# Colour\n\nThe bicycle is lavender.')
        utimesSync(join(folder, 'a.md'), old, old)
      },
    ],
    [
      'has the length of the old one, and another time',
      (old) => {
        write('a.md', '# Colour\n\nThe bicycle is ink.')
        utimesSync(join(folder, 'a.md'), old, new Date(old.getTime() + 1_000))
      },
    ],
  ])('has another file where the one of that name %s', async (_, replace) => {
    const old = new Date(1_000_000)
    write('a.md', '# Colour\n\nThe bicycle is red.')
    utimesSync(join(folder, 'a.md'), old, old)
    let now = 0
    const library = await open({ now: () => now, watch: false })
    replace(old)
    now = 2_000
    await library.refresh()
    expect(filesWith(library, 'red')).toEqual([])
    expect(library.search('ink lavender').hits).toHaveLength(1)
  })

  it('has no words of a deleted file, and all of the others', async () => {
    for (const name of ['a', 'b']) write(`${name}.md`, '# Lantern\n\nA light.')
    let now = 0
    const library = await open({ now: () => now, watch: false })
    for (const [gone, left] of [
      ['a.md', ['b.md']],
      ['b.md', []],
    ] as const) {
      rmSync(join(folder, gone))
      now += 2_000
      await library.refresh()
      expect(filesWith(library, 'lantern')).toEqual(left)
      expect(library.files()).toEqual(left)
    }
  })

  it('adds its own synonyms, those that are written later too', async () => {
    write('a.md', '# Velocipedes\n\nWe sell them.')
    write('synonyms.txt', '# ours\npennyfarthing, velocipede')
    let now = 0
    const library = await open({ now: () => now, watch: false })
    expect(library.search('pennyfarthings').isAnswer).toBe(true)
    write('synonyms.txt', 'boneshaker, velocipede')
    now = 2_000
    await library.refresh()
    expect(library.search('boneshakers').isAnswer).toBe(true)
    expect(library.search('pennyfarthings').isAnswer).toBe(false)
  })

  it('reads synonyms of any characters, and of a long line the beginning', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ')
    write('a.md', '# Velocipedes\n\nWe sell them.')
    write('synonyms.txt', `c++-(bike-[*]\\, velocipede\npennyfarthing velocipede ${many}`)
    const library = await open()
    expect(library.search('pennyfarthings').isAnswer).toBe(true)
  })

  it('is not watched any longer once the library is closed', async () => {
    const { disk, isClosed } = turnedByHand()
    ;(await openLibrary({ folder, disk })).close()
    expect(isClosed()).toBe(true)
  })
})

describe('a change in the middle of an update', () => {
  const red = '# Colour\n\nThe bicycle is red.'
  const blue = '# Colour\n\nThe bicycle is blue, really.'
  async function opened(more: Partial<LibraryOptions> = {}) {
    write('a.md', red)
    write('b.md', '# Lantern\n\nA light.')
    const byHand = turnedByHand()
    return { ...byHand, library: await open({ disk: byHand.disk, now: () => 0, ...more }) }
  }

  it.each(['listed', 'read'] as const)(
    'is in the next answer, where it comes once the file was %s',
    async (moment) => {
      const { library, at, report } = await opened()
      at[moment] = once(() => {
        write('a.md', blue)
        report()
      })
      write('b.md', '# Lantern\n\nA bright light.')
      report()
      await library.refresh()
      await library.refresh()
      expect(filesWith(library, 'blue')).toEqual(['a.md'])
    },
  )

  it('is in the answer to the question that came after it, while the update still ran', async () => {
    const { library, at, report } = await opened()
    let late: Promise<void> | undefined
    at.listed = once(() => {
      write('a.md', blue)
      report()
      late = library.refresh()
    })
    report()
    await library.refresh()
    await late
    expect(filesWith(library, 'blue')).toEqual(['a.md'])
  })

  it('is read, where it comes before the folder is watched, at the start and later', async () => {
    write('a.md', red)
    const { disk, at, report } = turnedByHand()
    at.listed = once(() => write('b.md', blue))
    const library = await open({ disk, now: () => 0 })
    expect(filesWith(library, 'blue')).toEqual(['b.md'])
    mkdirSync(join(folder, 'sub'))
    write('sub/a.md', red)
    at.listed = once(() => write('sub/b.md', blue))
    report()
    await library.refresh()
    expect(filesWith(library, 'blue').sort()).toEqual(['b.md', 'sub/b.md'])
  })

  it('is read at the next question, where a folder is watched anew each time it is looked at', async () => {
    write('a.md', red)
    const { disk, at } = turnedByHand()
    let listings = 0
    at.listing = () => void listings++
    const never: Disk = {
      ...disk,
      watch: () => ({ follow: () => ({ isWhole: true, isNew: true }), close() {} }),
    }
    const library = await open({ disk: never, now: () => 0 })
    expect([filesWith(library, 'red'), listings]).toEqual([['a.md'], 3])
    write('b.md', blue)
    await library.refresh()
    expect([filesWith(library, 'blue'), listings]).toEqual([['b.md'], 6])
  })

  it('that takes a file away for a moment is made up for, though the file comes back as it was', async () => {
    const time = new Date(1_000_000)
    const put = () => {
      write('b.md', red)
      utimesSync(join(folder, 'b.md'), time, time)
    }
    write('a.md', '# Lantern\n\nA light.')
    put()
    const { disk, at, report } = turnedByHand()
    at.read = once(() => rmSync(join(folder, 'b.md')))
    const library = await open({ disk, now: () => 0 })
    expect(filesWith(library, 'red')).toEqual([])
    put()
    report()
    await library.refresh()
    expect(filesWith(library, 'red')).toEqual(['b.md'])
  })

  it('keeps a second question waiting for the files, as the first', async () => {
    const { library, report, at } = await opened()
    write('a.md', blue)
    report()
    let second: Promise<void> | undefined
    at.listed = once(() => {
      second = library.refresh().then(() => expect(filesWith(library, 'blue')).toEqual(['a.md']))
    })
    await library.refresh()
    await second
    expect(second).toBeDefined()
  })
})

describe('a watch of folders', () => {
  it('says whether it has them all, and whether one is new to it, each time', () => {
    const [one, other, gone] = ['one', 'other', 'gone'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(one)
    mkdirSync(other)
    const watch = createFolderWatch(() => {})
    expect(watch.follow([one])).toEqual({ isWhole: true, isNew: true })
    expect(watch.follow([one])).toEqual({ isWhole: true, isNew: false })
    expect(watch.follow([one, other])).toEqual({ isWhole: true, isNew: true })
    expect(watch.follow([one, gone])).toEqual({ isWhole: false, isNew: false })
    expect(watch.follow([one])).toEqual({ isWhole: true, isNew: false })
    expect(watch.follow([one, other])).toEqual({ isWhole: true, isNew: true })
    watch.close()
    expect(watch.follow([one])).toEqual({ isWhole: true, isNew: true })
    watch.close()
  })

  it('notices that a folder has moved away, and watches the next of that name', async () => {
    const one = join(folder, 'one')
    mkdirSync(one)
    const reports = vi.fn()
    const watch = createFolderWatch(reports)
    watch.follow([one])
    renameSync(one, join(folder, 'other'))
    mkdirSync(one)
    await vi.waitFor(() => expect(reports).toHaveBeenCalled())
    expect(watch.follow([one]).isNew).toBe(true)
    watch.close()
  })
})

describe('a listing', () => {
  it('takes files of up to a megabyte, sorted, and of each folder that is not hidden', async () => {
    for (const name of ['b', 'a', '.hidden', 'node_modules']) mkdirSync(join(folder, name))
    for (const name of ['b/x.md', 'a/y.markdown', '.hidden/x.md', 'node_modules/x.md', 'z.txt'])
      write(name, 'x')
    write('full.md', 'x'.repeat(1024 * 1024))
    write('over.md', 'x'.repeat(1024 * 1024 + 1))
    const { files, tooLarge, folders } = await listMarkdown(folder)
    expect(tooLarge).toEqual(['over.md'])
    expect(files.map(({ name }) => name)).toEqual(['a/y.markdown', 'b/x.md', 'full.md'])
    expect(folders).toHaveLength(3)
  })
})

describe('reading a large folder', () => {
  it('names a file that cannot be read in the log, once, and reads it when it can', async () => {
    write('a.md', '# Colour\n\nThe bicycle is red.')
    write('b.md', '# Lantern\n\nA light.')
    let isBroken = true
    const read: Disk['read'] = (path) => {
      if (isBroken && path.endsWith('b.md')) throw new Error('EIO: i/o error')
      return DISK.read(path)
    }
    const lines: string[] = []
    let now = 0
    const log = (line: string, level?: string) => lines.push(`${level}: ${line}`)
    const library = await open({ disk: { ...DISK, read }, watch: false, now: () => now, log })
    now += 2_000
    await library.refresh()
    expect(library.files()).toEqual(['a.md'])
    expect(lines).toEqual(['warn: b.md is left out: EIO: i/o error'])
    isBroken = false
    now += 2_000
    await library.refresh()
    expect(filesWith(library, 'lantern')).toEqual(['b.md'])
  })

  it('logs its progress every five seconds, unless the reading is quick', async () => {
    for (let n = 0; n < 40; n++) write(`${n}.md`, `# Page ${n}\n\nText.`)
    const lines: string[] = []
    let time = 0
    const slow = () => {
      time += 300
      return time
    }
    const log = (line: string) => lines.push(line)
    await open({ watch: false, now: slow, log })
    const progress = lines.slice(0, -1)
    expect(progress.length).toBeGreaterThan(1)
    // At least so often as it is looked at the time.
    expect(progress.length).toBeLessThanOrEqual(time / 5_000 + 1)
    for (const line of progress) expect(line).toMatch(/^Indexing documents: \d+ of 40 files$/)
    expect(lines.at(-1)).toBe('Indexed 40 files, 40 passages')
    lines.length = 0
    await open({ watch: false, now: () => 0, log })
    expect(lines).toEqual([])
  })
})
