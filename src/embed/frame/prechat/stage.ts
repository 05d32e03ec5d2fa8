// Shows one of two things: the chat, or the step that stands before it.

import {
  type Extras,
  loadExtras,
  type PanelSettings,
  type PrechatHandle,
  type PrechatOptions,
} from '../../../ui/index.ts'
import type { ToPage, ToPanel } from '../../channel.ts'
import type { ChatController } from '../chat/chat-controller.ts'
import { worded } from '../chat/worded.ts'
import type { Step } from './steps.ts'

type Show = Extract<ToPanel, { type: 'show' }>

export type Stage = {
  /**
   * A step whose code does not come is asked for again, and never passed over. `isHere`: whether the visitor is in the panel. Default: as the
   * page said when the panel was shown, or in the chat before.
   */
  showStep(step: 'consent' | Step, isHere?: boolean): void
  /** Does nothing where the chat is shown already. */
  showChat(chat: ChatController, isHere?: boolean): void
  /** The chat that is on the screen. */
  chat(): ChatController | undefined
  step(): PrechatHandle | undefined
  /** The page shows or hides the panel. */
  setShown(message: Show): void
  isShown(): boolean
  /** Takes the step away, and shows nothing. The chat's owner takes the chat away. */
  clear(): void
  dispose(): void
}

/** `stepOptions`: what each step is drawn by, when it is drawn. `takeAway`: removes the first screen. */
export function createStage(
  post: (message: ToPage) => void,
  settings: () => PanelSettings,
  stepOptions: () => Omit<PrechatOptions, 'step'>,
  takeAway: () => void,
): Stage {
  let chat: ChatController | undefined
  let step: PrechatHandle | undefined
  let shown: Show | undefined
  let answered = false
  /** Draws the steps; undefined until it is loaded. */
  let extras: Extras | undefined
  /** The step that is to be shown. */
  let waiting: Parameters<Stage['showStep']> | undefined
  const ending = new AbortController()
  const { signal: gone } = ending
  /** Something is on the screen: the page no longer waits. */
  async function arrive(words: Promise<void>): Promise<void> {
    await worded(words)
    if (!answered && !gone.aborted) post({ type: 'ready' })
    answered = true
  }
  function drawStep({ openPrechat }: Extras, name: 'consent' | Step, isHere?: boolean): void {
    takeAway()
    const isHandedOn = chat !== undefined
    chat?.undraw()
    chat = undefined
    // The focus goes from one step to the next by itself.
    if (step) return step.show(name)
    const next = openPrechat({ ...stepOptions(), step: name })
    step = next
    void arrive(next.worded())
    if (shown?.shown && (isHere ?? (isHandedOn || shown.focus))) next.focus()
  }
  let isLoading = false
  function load(): void {
    if (isLoading) return
    isLoading = true
    void loadExtras(gone).then((part) => {
      extras = part
      if (waiting) drawStep(part, ...waiting)
    })
  }
  function clear(): void {
    waiting = undefined
    step?.dispose()
    step = undefined
    chat = undefined
  }
  return {
    showStep(...which) {
      waiting = which
      if (extras) return drawStep(extras, ...which)
      load()
      // The visitor is not left with a panel that shows nothing.
      if (answered && !chat) post({ type: 'close' })
    },
    showChat(next, isHere = step?.hasFocus()) {
      if (chat === next) return
      const hadStep = step !== undefined
      clear()
      chat = next
      void next.settled.then(load)
      void arrive(next.draw(settings()))
      if (!shown) return
      // Whoever is elsewhere on the page by now stays there.
      const focus = hadStep ? isHere === true && (settings().phone ? 'panel' : (true as const)) : shown.focus
      next.take({ ...shown, ...(focus !== undefined && { focus }) })
    },
    chat: () => chat,
    step: () => step,
    setShown(message) {
      shown = message
      if (message.shown === true && message.focus) step?.focus()
    },
    isShown: () => shown?.shown === true,
    clear,
    dispose() {
      ending.abort()
      clear()
    },
  }
}
