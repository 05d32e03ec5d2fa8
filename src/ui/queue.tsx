// Tells a visitor who waits for a person what happens, and offers the way back to the agent. The header shows the place in the queue.

import { useContext } from 'preact/hooks'
import { Panel } from './context.ts'
import { useWords } from './words.ts'

export function Queue() {
  const { chat } = useContext(Panel)
  const say = useWords()
  return (
    <div part="notice" class="notice">
      <span>{say.waitingForPerson}</span>
      <button type="button" class="quiet once" onClick={() => chat.leaveQueue()}>
        {say.leaveQueue}
      </button>
    </div>
  )
}
