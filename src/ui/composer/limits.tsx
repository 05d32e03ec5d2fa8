// Says how much a message may hold.

import { useContext } from 'preact/hooks'
import type { Refusal } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'

/** From so much of the limit on, the composer counts. */
const NEAR = 0.8

/** How full the message is, once it comes near the limit: bytes are what the service counts. */
export function counted(text: string, limit: number, locale: string): string {
  // No character has more than three bytes a unit.
  if (text.length * 3 < limit * NEAR) return ''
  const bytes = new TextEncoder().encode(text).length
  if (bytes < limit * NEAR) return ''
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(bytes / limit)
}

/** Why a message is not sent. */
export function Trouble({ trouble }: { trouble: Refusal }) {
  const { locale } = useContext(Panel)
  const say = useWords()
  const unit = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const
  const size = (bytes: number) => new Intl.NumberFormat(locale.value, unit).format(Math.ceil(bytes / 1024))
  return (
    <p class="notice trouble" role="alert" id="foyer-trouble">
      {trouble.reason === 'too-long' ? say.tooLong(size(trouble.bytes), size(trouble.limit)) : say.outboxFull}
    </p>
  )
}
