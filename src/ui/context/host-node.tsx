// A node that the page's own script made, in the panel of that page. Never in a frame: no script of a page reaches into it.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'

export type HostNodeProps = {
  make: () => Node | undefined
  part: string
  class?: string
  /** Drawn where the page makes no node. */
  children?: ComponentChildren
}

/** Calls `make` once; what it throws is reported. */
export function HostNode({ make, part, class: name, children }: HostNodeProps) {
  const box = useRef<HTMLDivElement>(null)
  const nodes = useMemo(() => nodesOf(make), [make])
  useLayoutEffect(() => {
    if (nodes) box.current?.replaceChildren(...nodes)
  }, [nodes])
  return nodes ? <div ref={box} part={part} class={name} /> : children
}

/** The nodes of a fragment, which is empty once they are placed. */
function nodesOf(make: () => Node | undefined): Node[] | undefined {
  try {
    const made: unknown = make()
    if (made instanceof DocumentFragment) return [...made.childNodes]
    return made instanceof Node ? [made] : undefined
  } catch (error) {
    reportError(error)
    return undefined
  }
}
