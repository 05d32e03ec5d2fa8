'use client'
import { useFoyer } from 'foyer-webchat/react'

export function TalkToUs() {
  const { open, state } = useFoyer()
  return (
    <button type="button" onClick={open}>
      Talk to us{state.unread > 0 && ` (${state.unread})`}
    </button>
  )
}
