import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGuide } from '../../src/agents/guide/guide.ts'
import { type Library, openLibrary } from '../../src/agents/search/library.ts'
import type { Embeddings } from '../../src/runtime/index.ts'

let folder: string
let library: Library | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-hybrid-'))
  write('fleet.md', '# Fleet\n\n## Zeppelins\n\nThey float.\n\n## Lanterns\n\nThey glow.')
  for (let n = 0; n < 20; n++) write(`filler${n}.md`, `# Filler ${n}\n\nNothing of interest.`)
})
afterEach(() => {
  library?.close()
  rmSync(folder, { recursive: true })
})
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** Knows two meanings: what flies, and what gives light. */
function meaning() {
  const asked: string[][] = []
  const signals: (AbortSignal | undefined)[] = []
  let broken = false
  let hangs = false
  const embeddings: Embeddings = {
    model: 'meaning',
    size: 3,
    async embed(texts, signal) {
      asked.push([...texts])
      signals.push(signal)
      if (hangs)
        await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')))
        })
      if (broken) throw new Error('the endpoint is down')
      return texts.map((text) =>
        /zeppelin|airship/i.test(text) ? [1, 0, 0] : /lantern|lamp/i.test(text) ? [0, 1, 0] : [0, 0, 1],
      )
    },
  }
  return {
    embeddings,
    asked,
    signals,
    hang: () => {
      hangs = true
    },
    breakIt: () => {
      broken = true
    },
    mend: () => {
      broken = false
    },
  }
}

describe('a folder with embeddings', () => {
  it('finds by meaning a passage that shares no word with the question', async () => {
    const { embeddings } = meaning()
    library = await openLibrary({ folder, watch: false, embeddings })
    await library.settled()
    const found = await library.find('airship')
    expect(found.isAnswer).toBe(true)
    expect(found.hits[0]?.passage.heading).toBe('Zeppelins')
    expect(library.search('airship').isAnswer).toBe(false)
  })

  it('puts first what words and meaning both find, and admits when neither finds anything', async () => {
    const { embeddings } = meaning()
    library = await openLibrary({ folder, watch: false, embeddings })
    await library.settled()
    expect((await library.find('lanterns')).hits[0]?.passage.heading).toBe('Lanterns')
    expect((await library.find('quantum chromodynamics')).isAnswer).toBe(false)
  })

  it('finds each passage of a file, as many as are asked for, with the question before in mind', async () => {
    const { embeddings, asked } = meaning()
    library = await openLibrary({ folder, watch: false, embeddings })
    await library.settled()
    const headings = async (limit?: number) =>
      (await library?.find('zeppelins, lanterns', limit === undefined ? {} : { limit }))?.hits.map(
        ({ passage }) => passage.heading,
      )
    expect((await headings())?.slice(0, 2).sort()).toEqual(['Lanterns', 'Zeppelins'])
    expect(await headings(1)).toHaveLength(1)
    await library.find('and where?', { before: 'airship' })
    expect(asked.at(-1)).toEqual(['airship\nand where?'])
  })

  it('knows whether the first passage is the one that stands out by its meaning', async () => {
    const { embeddings } = meaning()
    library = await openLibrary({ folder, watch: false, embeddings })
    await library.settled()
    const found = async (text: string) => {
      const { hits, isAnswer, standsOut } = (await library?.find(text)) ?? { hits: [] }
      return [hits[0]?.passage.heading, isAnswer, standsOut]
    }
    expect(await found('airship')).toEqual(['Zeppelins', true, true])
    expect(await found('lanterns glow airship')).toEqual(['Lanterns', true, false])
  })

  it('makes a vector of a passage that comes while others are made', async () => {
    const { embeddings, asked } = meaning()
    let now = 0
    const embed: Embeddings['embed'] = async (texts, signal) => {
      const made = await embeddings.embed(texts, signal)
      if (asked.length > 1) return made
      // The library is open by then.
      await new Promise(setImmediate)
      write('late.md', '# Late\n\n## Balloons\n\nThey rise.')
      now = 5_000
      await library?.refresh()
      return made
    }
    library = await openLibrary({
      folder,
      watch: false,
      now: () => now,
      embeddings: { ...embeddings, embed },
    })
    await library.settled()
    expect(asked.at(-1)).toEqual([expect.stringContaining('They rise.')])
  })

  it('answers by words where the endpoint is silent for too long', async () => {
    const { embeddings, hang } = meaning()
    library = await openLibrary({ folder, watch: false, embeddings })
    await library.settled()
    const late = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
    onTestFinished(() => timeout.mockRestore())
    hang()
    const finding = library.find('lanterns')
    late.abort()
    expect((await finding).hits[0]?.passage.heading).toBe('Lanterns')
  })

  it('asks for nothing more once it is closed, and that is no failure', async () => {
    const { embeddings, hang, signals } = meaning()
    const log = vi.fn()
    const ended = await openLibrary({ folder, watch: false, embeddings, log })
    await ended.settled()
    hang()
    const finding = ended.find('lanterns')
    ended.close()
    await finding
    const early = await openLibrary({ folder, watch: false, embeddings, log })
    early.close()
    await early.settled()
    const guide = await createGuide({ folder, embeddings, log })
    guide.close()
    expect(signals.slice(1).map((signal) => signal?.aborted)).toEqual([true, true, true])
    expect(log).not.toHaveBeenCalled()
  })

  it('makes vectors of changed passages only', async () => {
    const { embeddings, asked } = meaning()
    let now = 0
    library = await openLibrary({ folder, watch: false, now: () => now, embeddings })
    await library.settled()
    asked.length = 0
    write('fleet.md', '# Fleet\n\n## Zeppelins\n\nThey float high.\n\n## Lanterns\n\nThey glow.')
    now = 5_000
    await library.refresh()
    await library.settled()
    expect(asked.flat()).toEqual([expect.stringContaining('They float high.')])
  })

  it('searches by words while the endpoint is down, logs each failed try once, and recovers', async () => {
    const { embeddings, breakIt, mend } = meaning()
    const said: string[] = []
    let now = 0
    breakIt()
    library = await openLibrary({
      folder,
      watch: false,
      now: () => now,
      embeddings,
      log: (line) => said.push(line),
    })
    await library.settled()
    expect((await library.find('lanterns')).hits[0]?.passage.heading).toBe('Lanterns')
    expect(said).toEqual([expect.stringContaining('searches by words only')])
    mend()
    now = 5_000
    await library.refresh()
    await library.settled()
    expect((await library.find('airship')).isAnswer).toBe(true)
    breakIt()
    expect((await library.find('lanterns')).hits[0]?.passage.heading).toBe('Lanterns')
  })
})
