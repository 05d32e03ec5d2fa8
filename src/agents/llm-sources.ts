// Finds the passages that a request gives to the language model, and the addresses that its answer may link to.

import type { Library } from './library.ts'
import { addressesIn, bareAddress } from './link-gate.ts'
import type { Passage } from './passages.ts'
import type { SourceAddress } from './quote.ts'

/** Passages of one search. */
const MOST_FOUND = 6

export interface LlmSources {
  /** Resolves once every noticed change of the folder is known. */
  refresh(): Promise<void>
  /** `before`: the previous question, if `text` continues it. */
  near(text: string, before?: string): Promise<Passage[]>
  /** Whether these passages or the instructions contain the address, or it is the address of a passage. */
  isGiven(address: string, passages: readonly Passage[]): boolean
  /** One passage of each file, to show the range of topics. */
  ofEachFile(): readonly Passage[]
}

export type LlmSourcesOptions = {
  /** Undefined without a folder. */
  library: Library | undefined
  address: SourceAddress
  instructions: string
}

export function createLlmSources({ library, address, instructions }: LlmSourcesOptions): LlmSources {
  return {
    refresh: async () => library?.refresh(),
    async near(text, before) {
      const found = await library?.find(text, before === undefined ? {} : { before })
      return (found?.hits ?? []).slice(0, MOST_FOUND).map(({ passage }) => passage)
    },
    isGiven(target, passages) {
      const texts = [instructions, ...passages.flatMap(({ blocks }) => blocks.map(({ source }) => source))]
      const links = passages.flatMap(({ file, slug }) => [address(file, slug), address(file, '')])
      const givenAddresses = [
        ...texts.flatMap(addressesIn),
        ...links.filter((link) => link !== undefined).map(bareAddress),
      ]
      return givenAddresses.includes(bareAddress(target))
    },
    ofEachFile() {
      const firsts = new Map<string, Passage>()
      for (const passage of library?.passages() ?? [])
        if (!firsts.has(passage.file)) firsts.set(passage.file, passage)
      return [...firsts.values()]
    },
  }
}
