// Draws the field in which the visitor writes, and sends what stands in it.

import { useContext, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { isOff } from '../context/site.ts'
import { SendIcon, StopIcon } from '../theme/icons.tsx'
import { charactersLeft, Trouble } from './limits.tsx'

/**
 * One pill that grows to five lines. Enter sends and Shift+Enter breaks the line (by option the other way round); an input method
 * is left alone.
 */
export function Composer() {
  const { chat, words, locale, draft, enterSends, site } = useContext(Panel)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = draft.value
  const ready = text.trim() !== ''
  const [trouble, setTrouble] = useState<Refusal>()
  const say = words.value
  const stops = !ready && chat.stoppable.value && !isOff(site.value, 'stop')

  function send(): void {
    const words = draft.peek().trim()
    if (words === '') return
    const refused = chat.refusal(words)
    // A refused text stays in the field, with the reason.
    setTrouble(refused && refused.reason !== 'empty' ? refused : undefined)
    if (refused === undefined && chat.send(words) !== undefined) draft.value = ''
    field.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent): void {
    // 229: what some browsers say while an input method still composes.
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return
    if (event.shiftKey === enterSends.peek()) return
    event.preventDefault()
    send()
  }
  const limit = chat.capabilities.value?.max_message_size_bytes
  const left = limit === undefined ? undefined : charactersLeft(text, limit)
  const count = left !== undefined && new Intl.NumberFormat(locale.value).format(left)
  return (
    <>
      {trouble && <Trouble trouble={trouble} text={text.trim()} />}
      <form
        part="composer"
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
            // What an earlier page had here the panel gives back itself.
            autocomplete="off"
            value={text}
            dir={text === '' ? undefined : 'auto'}
            aria-label={say.message}
            aria-describedby={trouble ? 'foyer-trouble' : count ? 'foyer-count' : undefined}
            aria-invalid={trouble !== undefined}
            placeholder={say.placeholder}
            enterkeyhint={enterSends.value ? 'send' : 'enter'}
            onInput={(event) => {
              draft.value = event.currentTarget.value
              setTrouble(undefined)
              chat.typed()
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        {count && (
          <span class="count" id="foyer-count" role="img" aria-label={say.charactersLeft(count)}>
            {count}
          </span>
        )}
        {stops ? (
          <button type="button" class="send ready" aria-label={say.stop} onClick={() => chat.stop()}>
            <StopIcon />
          </button>
        ) : (
          <button
            type="submit"
            part="send"
            class={ready ? 'send ready' : 'send'}
            aria-label={say.send}
            aria-disabled={!ready}
          >
            <SendIcon />
          </button>
        )}
      </form>
    </>
  )
}
