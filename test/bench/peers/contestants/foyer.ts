// Foyer as it ships: the script tag stands in the page, the panel in a frame of the BFF's origin. Here is only what the page does.

import { type Contestant, present } from '../contestant.ts'

type Handle = { open(): void; destroy(): void }
const handle = () => (window as unknown as { Foyer: Handle }).Foyer

const contestant: Contestant = {
  mount: () => {},
  launcher: () => document.querySelector('foyer-host')?.shadowRoot?.querySelector('button'),
  open: () => handle().open(),
  unmount: () => handle().destroy(),
  // Of the frame: see FRAMED in contestants.ts.
  composer: () => null,
  newest: () => null,
  scroller: () => null,
}
present(contestant)
