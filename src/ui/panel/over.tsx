import { useContext } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'

/** In place of the composer: a button for a new chat. */
export function Over() {
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
