// Loads parts of the panel when they are first drawn.

import type { ComponentType } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { persist } from './persist.ts'
import { adoptStyles } from './theme.ts'

/** What the module of a part exports: what is drawn, and its style sheet. */
type Loaded<P> = { part: ComponentType<P>; styles?: string }

/** Draws nothing until the part is loaded. Tries until it is loaded. */
export function lazy<P extends object>(load: () => Promise<Loaded<P>>): ComponentType<P> {
  let loaded: Loaded<P> | undefined
  return function Lazy(props: P) {
    const { root, gone } = useContext(Panel)
    const [part, setPart] = useState(loaded)
    useEffect(() => {
      if (!part)
        void persist(load, gone).then((fetched) => {
          loaded = fetched
          setPart(fetched)
        })
    }, [])
    if (!part) return null
    if (part.styles) adoptStyles(root, part.styles)
    return <part.part {...props} />
  }
}
