// Draws what a visitor pasted: its beginning, and all of it when asked.

import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { useWords } from '../context/context.ts'

/** So much of it is shown, in UTF-16 units. */
const SHOWN = 600
const SHOWN_LINES = 10

export function FoldedText({ text, draw }: { text: string; draw(text: string): ComponentChild }) {
  const say = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <span dir="auto">{draw(open ? text : `${beginningOf(text)} …`)}</span>
      <button type="button" class="quiet fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? say.showLess : say.showAll}
      </button>
    </>
  )
}

/** Ends between two words, where there are any. */
export function beginningOf(text: string): string {
  const beginning = text.slice(0, SHOWN).split('\n').slice(0, SHOWN_LINES).join('\n')
  const words = beginning.length < SHOWN ? beginning : beginning.replace(/\s\S*$/u, '')
  // Half of a pair of surrogates is no character.
  return words.replace(/[\uD800-\uDBFF]$/, '').trimEnd()
}
