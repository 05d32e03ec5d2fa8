// What a screen reader says. The log itself is silent, since it changes with every piece of an answer; each
// message is read once, when it is whole. History is not read at all.

import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { Panel } from './context.ts'

export function Announcer() {
  const { chat, words, parser } = useContext(Panel)
  const [text, setText] = useState('')
  useLayoutEffect(
    () =>
      chat.on('message', ({ role, text }) => {
        if (role === 'visitor') return
        const name = chat.agent.peek().name ?? words.peek().assistant
        void parser.then((markdown) =>
          setText(`${words.peek().said(name)} ${markdown?.readWords(text) ?? text}`),
        )
      }),
    [chat],
  )
  return (
    <div class="hidden" role="status" aria-live="polite">
      {text}
    </div>
  )
}
