import { useEffect, useRef } from 'preact/hooks'
import { SendIcon } from '../../src/ui/theme/icons.tsx'

type Props = {
  label: string
  placeholder: string
  send: string
  text: string
  most: number
  /** Takes the focus where nothing else has it. */
  focus?: boolean
  onText(text: string): void
  onSend(text: string): void
}

/** One pill that grows with its text. Enter sends, Shift+Enter breaks the line, an input method is left alone. */
export function Composer({ label, placeholder, send, text, most, focus, onText, onSend }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focus && document.activeElement === document.body) field.current?.focus()
  }, [focus])
  const submit = () => {
    if (text.trim() === '') return
    onSend(text.trim())
    field.current?.focus()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <textarea
        ref={field}
        rows={1}
        value={text}
        maxLength={most}
        dir={text === '' ? undefined : 'auto'}
        aria-label={label}
        placeholder={placeholder}
        enterkeyhint="send"
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // 229: what some browsers say while an input method still composes.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
          event.preventDefault()
          submit()
        }}
      />
      <button
        type="submit"
        class={text.trim() === '' ? 'send' : 'send ready'}
        aria-label={send}
        aria-disabled={text.trim() === ''}
      >
        <SendIcon />
      </button>
    </form>
  )
}
