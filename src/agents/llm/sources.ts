// Finds the passages that a request gives to the language model, and the addresses that its answer may link to.

import { addressesIn, comparableHref } from '../../markdown/index.ts'
import type { Library } from '../search/library.ts'
import type { Passage } from '../search/passages.ts'
import type { SourceAddress } from '../search/quote.ts'
import { saidIn } from './phone-gate.ts'

/** Passages of one search. */
const MOST_FOUND = 6

export interface LlmSources {
  /** Resolves once every noticed change of the folder is known. */
  refresh(): Promise<void>
  /** `before`: the previous question, if `text` continues it. */
  near(text: string, before?: string): Promise<Passage[]>
  /** Whether these passages or the instructions contain the address, or it is the address of a passage. */
  isGiven(address: string, passages: readonly Passage[]): boolean
  /** Whether they say this host or this phone number (`saidIn`), or it is the name of a file. */
  isSaid(said: string, passages: readonly Passage[]): boolean
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
  const own = addressSet([instructions])
  const known = new WeakMap<Passage, ReadonlySet<string>>()
  /** The addresses in a passage, and its own. */
  function of(passage: Passage): ReadonlySet<string> {
    const { file, slug, blocks } = passage
    const addresses =
      known.get(passage) ??
      addressSet([...blocks.map(({ source }) => source), file], [address(file, slug), address(file, '')])
    known.set(passage, addresses)
    return addresses
  }
  const isIn = (wanted: string, passages: readonly Passage[]): boolean =>
    own.has(wanted) || passages.some((each) => of(each).has(wanted))
  return {
    refresh: async () => library?.refresh(),
    async near(text, before) {
      const found = await library?.find(text, before === undefined ? {} : { before })
      return (found?.hits ?? []).slice(0, MOST_FOUND).map(({ passage }) => passage)
    },
    isGiven(target, passages) {
      const wanted = sameAddress(target)
      return wanted !== undefined && isIn(wanted, passages)
    },
    isSaid: isIn,
    ofEachFile() {
      const firsts = new Map<string, Passage>()
      for (const passage of library?.passages() ?? [])
        if (!firsts.has(passage.file)) firsts.set(passage.file, passage)
      return [...firsts.values()]
    },
  }
}

/** What these texts lead to, and what a phone would make links of. */
function addressSet(
  texts: readonly string[],
  more: readonly (string | undefined)[] = [],
): ReadonlySet<string> {
  const addresses = [...texts.flatMap(addressesIn), ...more.filter((each) => each !== undefined)]
  return new Set([
    ...addresses.flatMap((each) => sameAddress(each) ?? []),
    ...[...texts, ...addresses].flatMap(saidIn),
  ])
}

/** One form for addresses that lead to the same place; undefined where nobody may follow it. */
const sameAddress = (address: string): string | undefined => {
  const href = comparableHref(address)
  return href?.startsWith('mailto:') ? href.toLowerCase() : href?.replace(/\/$/, '')
}
