// Chooses the words of notices and dividers in the transcript.

import type { DividerEntry, NoticeEntry } from '../../chat/index.ts'
import { AGENT_FAILED } from '../../protocol/index.ts'
import type { Words } from '../locales/en.ts'

export function noticeText(entry: NoticeEntry | DividerEntry, say: Words): string {
  if (entry.kind === 'divider')
    return {
      expired: say.dividerExpired,
      ended: say.dividerEnded,
      restarted: say.dividerRestarted,
      lost: say.dividerLost,
    }[entry.reason]
  const name = entry.name ?? say.person
  return {
    'handoff-failed': say.handoffFailed,
    'handoff-client': say.handoffClient,
    'queue-left': say.queueLeft,
    'queue-message': say.queueMessage,
    'live-joined': say.liveJoined(name),
    'live-left': say.liveLeft(name),
    system: entry.text ?? '',
    // A button beside it tries again.
    error: entry.text === AGENT_FAILED ? say.agentFailed : (entry.text ?? ''),
  }[entry.notice]
}
