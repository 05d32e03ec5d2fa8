// Draws a piece of code, its language, and a button that copies it.

import { useLayoutEffect, useState } from 'preact/hooks'
import { useWords } from '../context/context.ts'

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const say = useWords()
  const [copied, setCopied] = useState(false)
  // Not after the frame, which would ask for another one.
  useLayoutEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard?.writeText(code).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <div class="code" dir="ltr">
      <div class="code-bar">
        <span>{language || say.code}</span>
        <button type="button" class="quiet" onClick={copy}>
          {copied ? say.copied : say.copy}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </div>
  )
}
