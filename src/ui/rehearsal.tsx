// Draws a sample of an answer where nobody sees it, a part in each pause of the browser: the first words of a real answer would wait
// until the browser has compiled what draws them and found its fonts.

import { signal } from '@preact/signals'
import { render } from 'preact'
import type { Content, MessageEntry } from '../chat/index.ts'
import { Panel, type PanelState } from './context.ts'
import { type MessageProps, useMessage } from './message.tsx'
import { whenIdle } from './soon.ts'

const PARTS = [
  'A *b* **c',
  '** `d` [e](mailto:e@example.com).\n\n- f\n- g\n\n',
  '1. h\n\n### i\n\n```js\nj',
  '\n```\n\n| k |\n| - |\n| l |\n',
]

const Sample = (props: MessageProps) => <>{useMessage(props)}</>

/** Returns the undo. */
export function rehearse(panel: PanelState): () => void {
  const pieces: string[] = []
  const content = signal<Content>({ pieces, length: 0, complete: false, attachments: [], callActions: [] })
  const stage = document.createElement('div')
  stage.className = 'hidden'
  stage.inert = true
  let stop = whenIdle(play)
  function play(): void {
    const part = PARTS[pieces.length]
    const complete = part === undefined
    if (!complete) pieces.push(part)
    content.value = { ...content.peek(), length: pieces.length, complete }
    // It is laid out, and gone before anything is painted or told to a screen reader.
    panel.root.querySelector('.foyer')?.append(stage)
    draw(complete)
    void stage.offsetHeight
    stage.remove()
    if (complete) end()
    else stop = whenIdle(play)
  }
  function draw(complete: boolean): void {
    // A new one each time: an equal one would be skipped, and drawn later.
    const entry: MessageEntry = { kind: 'message', key: '', role: 'agent', at: 0, content }
    render(
      <Panel.Provider value={{ ...panel, dock: { current: stage } }}>
        {/* Once more, whole: only then are its tools drawn at once. */}
        <Sample key={String(complete)} entry={entry} joined={false} isLast={true} />
      </Panel.Provider>,
      stage,
    )
  }
  const end = () => render(null, stage)
  return () => {
    stop()
    end()
  }
}
