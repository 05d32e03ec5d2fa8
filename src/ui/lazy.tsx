// Loads parts of the panel when they are first drawn.

import type { ComponentType } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { persist } from './persist.ts'
import { adoptStyles } from './theme.ts'

type Loaded<P> = { part: ComponentType<P>; styles?: string }

/** Draws nothing until the part is loaded. If it cannot be loaded, a later attempt or the next drawing tries again. */
export function lazy<P extends object>(load: () => Promise<Loaded<P>>): ComponentType<P> {
  let loaded: Loaded<P> | undefined
  return function Lazy(props: P) {
    const { root } = useContext(Panel)
    const [part, setPart] = useState(loaded)
    useEffect(() => {
      let gone = false
      if (!part)
        persist(load).then(
          (fetched) => {
            loaded = fetched
            if (!gone) setPart(fetched)
          },
          () => {},
        )
      return () => {
        gone = true
      }
    }, [])
    if (!part) return null
    if (part.styles) adoptStyles(root, part.styles)
    return <part.part {...props} />
  }
}
