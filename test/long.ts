// Tells whether `npm run test:long` runs. A long run adds to `npm test` larger counts (schedules, kills, mounts, a history of 20 MB, further sizes
// of pages), the other stores, buses, browsers, looks and isolations for the same rule, every status and payload where `npm test` tries one of a
// class, and whole visits whose parts other suites hold.

export const isLong = process.env.FOYER_TEST_LONG === '1'

/** All in a long run, otherwise every `nth`, from the one at `first` on. */
export const some = <T>(all: readonly T[], nth: number, first = 0): readonly T[] =>
  isLong ? all : all.filter((_, index) => index % nth === first)
