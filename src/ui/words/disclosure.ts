// Says who answers.

import type { Words } from '../locales/en.ts'

/** `automatic`: an agent without a model. */
export const disclosureOf = (say: Words, automatic: boolean): string =>
  automatic ? say.disclosureAutomatic : `${say.disclosure} ${say.smallPrint}`
