import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
  let broken = false
  const embeddings: Embeddings = {
    model: 'meaning',
    size: 3,
    async embed(texts) {
      asked.push([...texts])
      if (broken) throw new Error('the endpoint is down')
      return texts.map((text) =>
        /zeppelin|airship/i.test(text) ? [1, 0, 0] : /lantern|lamp/i.test(text) ? [0, 1, 0] : [0, 0, 1],
      )
    },
  }
  return {
    embeddings,
    asked,
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
