// Draws the tools of an answer: copy it, and rate it.

import { type Signal, signal, useComputed } from '@preact/signals'
import { render } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessageEntry } from '../chat/index.ts'
import { Panel, type PanelState } from './context.ts'
import { Icon } from './icons.tsx'
import { lazy } from './lazy.tsx'
import { Again } from './note.tsx'
import { useWords } from './words.ts'

const Comment = lazy(() => import('./comment.tsx'))

type Kit = { root: HTMLElement; answer: Signal<MessageEntry>; near(): void }
/** By the place below the entries of a log. */
const docked = new WeakMap<Element, Kit>()

export type ToolsProps = {
  entry: MessageEntry
  /** The pointer or the focus was near. */
  touched: boolean
  near(): void
}

/**
 * The tools of an answer. Those of the newest stand below the entries, over the room that it leaves for them, and the next answer
 * takes them over where they are: to make or to move them costs as much as a message. Once the visitor comes near they go into
 * their answer, and stay there.
 */
export function Tools({ entry, touched, near }: ToolsProps) {
  const panel = useContext(Panel)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const dock = panel.dock.current as HTMLElement
    const { current: own } = place
    const free = docked.get(dock)
    if (!own) {
      const kit = free ?? drawKit(panel, entry)
      docked.set(dock, kit)
      if (!free) dock.append(kit.root)
      kit.near = near
      kit.answer.value = entry
      kit.root.className = `of-${entry.role}`
      kit.root.style.visibility = ''
      return () => {
        kit.root.style.visibility = 'hidden'
      }
    }
    const { root } = free?.answer.peek() === entry ? free : drawKit(panel, entry)
    const { activeElement: focused } = own.getRootNode() as Document | ShadowRoot
    const moves = root === free?.root
    if (moves) docked.delete(dock)
    root.style.visibility = ''
    // Where the browser can move the tools without taking them out of the document, a button in them keeps the focus. Elsewhere the button
    // gets the focus back, and a screen reader reads it once more.
    if (moves && own.moveBefore) own.moveBefore(root, null)
    else own.append(root)
    if (root.contains(focused)) (focused as HTMLElement).focus()
    return () => render(null, root)
  }, [touched])
  return touched ? <div ref={place} /> : null
}

function drawKit(panel: PanelState, first: MessageEntry): Kit {
  const kit: Kit = { root: document.createElement('div'), answer: signal(first), near() {} }
  // Assistive technology may press without either.
  for (const type of ['pointerenter', 'focusin', 'click']) kit.root.addEventListener(type, () => kit.near())
  render(
    <Panel.Provider value={panel}>
      <Buttons of={kit.answer} />
    </Panel.Provider>,
    kit.root,
  )
  return kit
}

function Buttons({ of }: { of: Signal<MessageEntry> }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const [copied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  // Not after the frame, which would ask for another one.
  useLayoutEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  /** Only what the buttons show, so that they stay as they are with another answer. */
  const [role, given] = useComputed(() => {
    const { role, content } = of.value
    const { length, rating } = content.value
    return length > 0 ? `${role} ${rating}` : ''
  }).value.split(' ')
  if (!role) return null
  const copy = () =>
    navigator.clipboard?.writeText(of.peek().content.peek().pieces.join('')).then(
      () => setCopied(true),
      () => {},
    )
  const rate = (rating: 'up' | 'down') => {
    setAsks(rating === 'down')
    chat.feedback(of.peek().key, rating)
  }
  return (
    <>
      {asks && <Comment answer={of.peek().key} onDone={() => setAsks(false)} />}
      <div class="tools">
        <button type="button" class="tool" aria-label={copied ? say.copied : say.copyAnswer} onClick={copy}>
          {copied ? <DoneIcon /> : <CopyIcon />}
        </button>
        {role === 'agent' && chat.capabilities.value?.feedback && (
          <>
            <Thumb rating="up" given={given} label={say.goodAnswer} onRate={rate} />
            <Thumb rating="down" given={given} label={say.badAnswer} onRate={rate} />
          </>
        )}
      </div>
    </>
  )
}

/** Below an answer that the visitor stopped. */
export function Stopped({ entry }: { entry: MessageEntry }) {
  const say = useWords()
  return (
    <p class="stopped">
      {say.stopped}
      <Again of={entry.key} />
    </p>
  )
}

type ThumbProps = {
  rating: 'up' | 'down'
  given: string | undefined
  label: string
  onRate(rating: 'up' | 'down'): void
}

function Thumb({ rating, given, label, onRate }: ThumbProps) {
  return (
    <button
      type="button"
      class={`tool ${rating}`}
      aria-label={label}
      aria-pressed={given === rating}
      onClick={() => onRate(rating)}
    >
      <ThumbIcon />
    </button>
  )
}

const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2.5" />
    <path d="M13 4.5A1.5 1.5 0 0 0 11.5 3.5H6A2.5 2.5 0 0 0 3.5 6v5.5A1.5 1.5 0 0 0 4.5 13" />
  </Icon>
)
const DoneIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
)
const ThumbIcon = () => (
  <Icon>
    <path d="M6.5 9 9.25 3.5a1.75 1.75 0 0 1 1.75 1.75V8h3.75a1.5 1.5 0 0 1 1.5 1.75l-.75 5a1.5 1.5 0 0 1-1.5 1.25H6.5ZM6.5 9H4v7h2.5" />
  </Icon>
)
