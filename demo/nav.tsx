import { type Place, places } from './places.ts'
import { words } from './words.ts'

/** The links between the demo's pages. `go` returns true if it switched the view without leaving the page. */
export function Nav({ here, go }: { here: Place; go?: (place: Place) => boolean }) {
  return (
    <nav class="bar" aria-label={words.pages}>
      <strong>Foyer</strong>
      {places.map(({ place, address, name }) => (
        <a
          key={place}
          href={address}
          aria-current={place === here ? 'page' : undefined}
          onClick={(event) => {
            const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
            if (!elsewhere && go?.(place)) event.preventDefault()
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}
