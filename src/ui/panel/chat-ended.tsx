// Draws the button for a new chat, in place of the composer, once a chat is over.

import { useContext } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'

export function ChatEnded() {
  const { chat } = useContext(Panel)
  const say = useWords()
  return (
    <div class="over">
      <button
        type="button"
        class="primary"
        onClick={() => (chat.status.value === 'idle' ? chat.open() : chat.restart())}
      >
        {say.newChat}
      </button>
    </div>
  )
}
