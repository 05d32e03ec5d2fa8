// What only `npm run test:long` runs: more of what a test of `npm test` has one of. Larger counts (schedules, kills, mounts, histories of 20 MB,
// searches in other sizes of pages), the other stores, buses, browsers, looks and isolations of the same rule, every status and payload of a
// class, and whole visits whose parts other suites hold.

export const isLong = process.env.FOYER_TEST_LONG === '1'

/** All in a long run, otherwise every `nth`, from the one at `first` on. */
export const some = <T>(all: readonly T[], nth: number, first = 0): readonly T[] =>
  isLong ? all : all.filter((_, index) => index % nth === first)
