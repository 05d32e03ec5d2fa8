// Draws the button above the composer that scrolls to what is further down.

import { useWords } from '../context/context.ts'
import { Icon } from '../theme/icons.tsx'

/** Why there is more below: something new came while the reader was further up, or a question is held above its long answer. */
export type Below = 'new' | 'held' | undefined

/** Above the composer, while there is more below than the reader sees: goes there. */
export function Pill({ below, onClick }: { below: Exclude<Below, undefined>; onClick(): void }) {
  const say = useWords()
  return (
    <div class="foot">
      <button type="button" class="pill once" onClick={onClick}>
        <Icon>
          <path d="M10 4.5v11M5.25 10.75 10 15.5l4.75-4.75" />
        </Icon>
        {below === 'held' ? say.toEnd : say.newMessages}
      </button>
    </div>
  )
}
