import { useContext, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../chat/index.ts'
import { Panel } from './context.ts'
import { SendIcon } from './icons.tsx'
import type { Words } from './locales/index.ts'

/** One pill that grows to five lines. Enter sends, Shift+Enter breaks the line, an input method is left alone. */
export function Composer() {
  const { chat, words, locale, draft } = useContext(Panel)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const ready = text.trim() !== ''
  const [trouble, setTrouble] = useState<Refusal>()

  function send(): void {
    const words = draft.peek().trim()
    if (words === '') return
    const refused = chat.refusal(words)
    // What is not taken stays in the field, with the reason.
    setTrouble(refused && refused.reason !== 'empty' ? refused : undefined)
    if (refused === undefined && chat.send(words) !== undefined) draft.value = ''
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    // 229: what some browsers say while an input method still composes.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  return (
    <>
      {trouble && (
        <p class="notice trouble" role="alert">
          {troubleText(trouble, words.value, locale.value)}
        </p>
      )}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {/* The copy in the second cell of the same grid area gives the field its height: nothing has to be measured. */}
        <div class="grow" data-text={text}>
          <textarea
            ref={field}
            rows={1}
            value={text}
            dir={text === '' ? undefined : 'auto'}
            aria-label={words.value.message}
            placeholder={words.value.placeholder}
            enterkeyhint="send"
            onInput={(event) => {
              draft.value = event.currentTarget.value
              setTrouble(undefined)
              chat.typed()
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <button
          type="submit"
          class={ready ? 'send ready' : 'send'}
          aria-label={words.value.send}
          aria-disabled={!ready}
        >
          <SendIcon />
        </button>
      </form>
    </>
  )
}

function troubleText(trouble: Refusal, say: Words, locale: string): string {
  if (trouble.reason !== 'too-long') return say.outboxFull
  const unit = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const
  const size = (bytes: number) => new Intl.NumberFormat(locale, unit).format(Math.ceil(bytes / 1024))
  return say.tooLong(size(trouble.bytes), size(trouble.limit))
}
