import { useContext, useRef } from 'preact/hooks'
import { Panel } from './context.ts'
import { SendIcon } from './icons.tsx'

/** One pill that grows to five lines. Enter sends, Shift+Enter breaks the line, an input method is left alone. */
export function Composer() {
  const { chat, words, draft } = useContext(Panel)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const ready = text.trim() !== ''

  function send(): void {
    const words = draft.peek().trim()
    if (words === '') return
    // What is not taken stays in the field.
    if (chat.send(words) !== undefined) draft.value = ''
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    // 229: what some browsers say while an input method still composes.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  return (
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
  )
}
