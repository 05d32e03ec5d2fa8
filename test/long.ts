// What only `npm run test:long` runs: more of what another test has one of.

export const isLong = process.env.FOYER_TEST_LONG === '1'
