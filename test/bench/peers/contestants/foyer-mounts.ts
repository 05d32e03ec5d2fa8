// Foyer from its npm package, for mounting it again and again.

import { mount } from 'foyer-webchat'
import { type Contestant, present } from '../contestant.ts'

let chat: { destroy(): void }
const contestant: Contestant = {
  mount() {
    chat = mount({ origin: new URLSearchParams(location.search).get('bff') ?? '' })
  },
  unmount: () => chat.destroy(),
  composer: () => null,
  newest: () => null,
  scroller: () => null,
}
present(contestant)
