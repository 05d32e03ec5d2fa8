// One bug for each kind of breach, as the edit that makes it and the schedule that shows it: that kind and no other, so were its check blind,
// the bug would not be found.

import type { Kind } from './oracle.ts'
import { RUNTIME } from './schedules.ts'
import type { Profile } from './service.ts'

export type Bug = {
  readonly what: string
  /** The runtime, unless said otherwise. */
  readonly service?: Profile
  /** What happens in the first page: the command, what it makes of it, and the milliseconds that pass behind it. */
  readonly commands: readonly (readonly [op: string, n: number, after: number])[]
  readonly edits: readonly Edit[]
}
/** `find` stands exactly once in the file below src/. */
type Edit = { readonly file: string; readonly find: string; readonly put: string }

const edit = (file: string, find: string, put: string): Edit => ({ file: `chat/${file}`, find, put })

/** A service that keeps both copies of a message, and does not say when a session is over. */
const LIVE: Profile = {
  ...RUNTIME,
  dedupe: false,
  idleSeconds: undefined,
  wholeReplay: false,
  hasStatus: undefined,
}

export const BUGS: Readonly<Record<Kind, Bug>> = {
  lost: {
    what: 'a reload forgets what waits',
    commands: [['leave-sending', 285, 4000]],
    edits: [edit('effects/stored.ts', 'return items.slice(0, MOST_ITEMS)', 'return []')],
  },
  hidden: {
    what: 'what a person says is not shown',
    commands: [
      ['send', 176, 300],
      ['say-live', 87, 9000],
    ],
    edits: [
      edit(
        'transcript/answers.ts',
        'if (isBlank(content)) return',
        "if (isBlank(content) || role === 'live') return",
      ),
    ],
  },
  vanished: {
    what: 'a new session takes what was said off the screen',
    service: LIVE,
    commands: [
      ['new-tab', 325, 4000],
      ['sleep', 909, 300],
    ],
    edits: [edit('session/step.ts', ': [...closed.transcript, { ...divider,', ': [{ ...divider,')],
  },
  doubled: {
    what: 'each message is sent twice, which only a service notices that keeps both',
    service: LIVE,
    commands: [['send', 286, 120]],
    edits: [
      edit(
        'effects/converse.ts',
        'if (next && connection.send(next.frame))',
        "if (next && connection.send(next.frame) && (next.frame.type !== 'EVENT_TYPE_USER_MESSAGE' || connection.send(next.frame)))",
      ),
    ],
  },
  repeated: {
    what: 'a message that comes again is shown again',
    commands: [
      ['mangle', 829, 0],
      ['send', 908, 120],
      ['idle', 100, 40],
    ],
    edits: [
      edit('transcript/receive.ts', 'const repeated = log.seen.has(event.id)', 'const repeated = false'),
      edit('transcript/receive.ts', 'if (state.messages.has(key)) return', "if (key === '') return"),
    ],
  },
  reordered: {
    what: 'the newest message goes first',
    commands: [['burst', 561, 2000]],
    edits: [
      edit(
        'outbox/items.ts',
        'const first = outbox.find((item) => isWaiting(item)',
        'const first = outbox.findLast((item) => isWaiting(item)',
      ),
    ],
  },
  misplaced: {
    what: 'what comes late is shown last',
    commands: [
      ['send', 391, 9000],
      ['mangle', 44, 0],
      ['say', 225, 0],
      ['say-two', 322, 4000],
    ],
    edits: [
      edit(
        'transcript/entries.ts',
        'before.place <= entry.place) break',
        'before.place <= entry.place || entry) break',
      ),
    ],
  },
  torn: {
    what: 'a chunk that comes early is dropped',
    service: LIVE,
    commands: [
      ['mishap', 9, 0],
      ['say', 890, 2000],
      ['mangle', 578, 4000],
      ['mangle', 279, 0],
      ['send', 7, 40],
      ['idle', 956, 40],
    ],
    edits: [
      edit(
        'transcript/streams.ts',
        'if (!repeated) texts.set(index, text)',
        "if (!repeated) texts.set(index, index <= stream.next ? text : '')",
      ),
    ],
  },
  stuck: {
    what: 'a chat that was refused once tries no more, whatever is typed',
    commands: [['bff', 369, 120]],
    edits: [
      edit(
        'session/table.ts',
        'if (guards.now >= again) return comeBack(session, event, guards)\n',
        'if (again > 0) return session\n',
      ),
      // Nor does the slow attempt.
      edit('session/table.ts', 'return session.denials > 0 ? denied', 'return session.denials > -1 ? denied'),
    ],
  },
  split: {
    what: 'a tab never goes on where the others have gone on',
    commands: [['new-tab', 325, 4000]],
    edits: [edit('session/choice.ts', '? named.session : undefined', '? undefined : undefined')],
  },
  storm: {
    what: 'a connection that fails is tried again at once',
    commands: [
      ['online', 134, 1],
      ['reload', 901, 9000],
    ],
    edits: [
      edit(
        'session/table.ts',
        'fails < DELAYS.length ? random * (DELAYS[fails] ?? 0) : ((1 + random) * longest) / 2',
        '0 * random * longest + 20',
      ),
    ],
  },
  thrown: {
    what: 'our clock ends the session, whatever was answered meanwhile',
    commands: [
      ['mangle', 850, 4000],
      ['clock', 157, 0],
    ],
    edits: [
      edit(
        'session/timers.ts',
        'expire: confirmedAt >= idleTimeout ? confirmedAt + EXPIRY_GRACE : NEVER,',
        'expire: idleTimeout,',
      ),
    ],
  },
  dishonest: {
    what: 'an end by the agent is told as one by the visitor',
    commands: [
      ['send', 635, 4000],
      ['agent-ends', 337, 2000],
      ['send', 0, 9000],
    ],
    edits: [
      edit(
        'session/step.ts',
        "if (before.name === 'ended' || endReason) return 'ended'",
        "if (before.name === 'ended' || endReason) return 'restarted'",
      ),
    ],
  },
  leaked: {
    what: 'a message goes out before the site allows it',
    commands: [['burst', 865, 0]],
    edits: [edit('chat.ts', 'held: options.beforeSend !== undefined', 'held: false')],
  },
  disputed: {
    what: 'a page shows what was pressed in it, whatever was decided',
    commands: [
      ['new-tab', 325, 4000],
      ['ask', 0, 2000],
      ['decide', 99, 4000],
    ],
    edits: [
      edit(
        'transcript/receive.ts',
        'confirm: { ...content.confirm, decision } }',
        'confirm: { ...content.confirm, decision: state.conversation.requests.decision?.decision ?? decision } }',
      ),
    ],
  },
  signs: {
    what: 'what arrives while the panel is looked at counts as unread',
    commands: [],
    edits: [
      edit('transcript/answers.ts', 'state.shown ||\n  state.counted.has(key)', 'state.counted.has(key)'),
    ],
  },
  left: {
    what: 'a page that is closed leaves its socket open',
    commands: [],
    edits: [
      edit(
        'effects/connect.ts',
        'open.socket.close(session.name',
        "if (session.name !== 'disposed') open.socket.close(session.name",
      ),
    ],
  },
  threw: {
    what: 'to keep the chat alive throws',
    commands: [['keep', 185, 300]],
    edits: [
      edit(
        'chat.ts',
        "keepAlive: () => dispatch({ type: 'keep' }),",
        "keepAlive: () => {\n      throw new Error('seeded')\n    },",
      ),
    ],
  },
}
