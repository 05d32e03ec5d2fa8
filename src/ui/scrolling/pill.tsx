import { useWords } from '../context/context.ts'
import { Icon } from '../theme/icons.tsx'

/** Above the composer while the reader is further up: something new came below. */
export function Pill({ onClick }: { onClick(): void }) {
  const say = useWords()
  return (
    <div class="foot">
      <button type="button" class="pill" onClick={onClick}>
        <Icon>
          <path d="M10 4.5v11M5.25 10.75 10 15.5l4.75-4.75" />
        </Icon>
        {say.newMessages}
      </button>
    </div>
  )
}
