// A node that the page's own script made, in the panel of that page. Never in a frame: no script of a page reaches into it.

import { useLayoutEffect, useRef } from 'preact/hooks'

type Props = { make: () => Node | undefined; part: string; class?: string }

/** Calls `make` once; what it throws is reported, and leaves the place empty. */
export function Placed({ make, part, class: name }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    try {
      const made = make()
      if (made instanceof Node) box.current?.replaceChildren(made)
    } catch (error) {
      reportError(error)
    }
  }, [make])
  return <div ref={box} part={part} class={name} />
}
