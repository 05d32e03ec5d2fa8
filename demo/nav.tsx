import { words } from './words.ts'

const PLACES = { home: '/', qa: '/?view=qa', desk: '/desk.html', phone: '/phone.html' } as const
export type Place = keyof typeof PLACES

/** The links between the demo's pages. `go` returns true if it switched the view without leaving the page. */
export function Nav({ here, go }: { here: Place; go?: (place: Place) => boolean }) {
  return (
    <nav class="bar" aria-label={words.pages}>
      <strong>Foyer</strong>
      {(Object.keys(PLACES) as Place[]).map((place) => (
        <a
          key={place}
          href={PLACES[place]}
          aria-current={place === here ? 'page' : undefined}
          onClick={(event) => {
            const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
            if (!elsewhere && go?.(place)) event.preventDefault()
          }}
        >
          {words.places[place]}
        </a>
      ))}
    </nav>
  )
}
