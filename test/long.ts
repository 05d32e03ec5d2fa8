// What only `npm run test:long` runs: more of what another test has one of.

export const isLong = process.env.FOYER_TEST_LONG === '1'

/** All in a long run, otherwise every `nth`, from the one at `first` on. */
export const some = <T>(all: readonly T[], nth: number, first = 0): readonly T[] =>
  isLong ? all : all.filter((_, index) => index % nth === first)
