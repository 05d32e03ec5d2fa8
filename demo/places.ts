// Lists the demo's pages that link to each other.

import { words } from './words.ts'

const PLACES = {
  home: '/',
  qa: '/?view=qa',
  desk: '/desk.html',
  phone: '/phone.html',
  docs: '/docs/',
} as const
export type Place = keyof typeof PLACES

export const places = (Object.keys(PLACES) as Place[]).map((place) => ({
  place,
  address: PLACES[place],
  name: words.places[place],
}))
