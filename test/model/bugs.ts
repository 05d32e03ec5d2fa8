// Bugs that were made, or that anybody could make, each as the edit that brings it back.

import type { Kind } from './oracle.ts'

export type Bug = {
  readonly id: string
  readonly what: string
  /** A schedule finds it that shows this kind of breach and no other: were its check blind, the bug would not be found. */
  readonly only?: Kind
  readonly edits: readonly Edit[]
}
/** `find` stands exactly once in the file below src/. */
type Edit = { readonly file: string; readonly find: string; readonly put: string }

const edit = (file: string, find: string, put: string): Edit => ({ file: `chat/${file}`, find, put })

const BY_OUR_CLOCK = edit(
  'session/timers.ts',
  'expire: confirmedAt >= idleTimeout ? confirmedAt + EXPIRY_GRACE : NEVER,',
  'expire: idleTimeout,',
)

const UNLOCKED = edit(
  'effects/enter.ts',
  '(comesBack ? attempt() : tabs.alone(attempt, signal))',
  'attempt()',
)
const UNLOOKED = edit('access/access.ts', 'if (known === undefined && others.isLate())', 'if (!others)')
const GIVEN_UP = [
  edit(
    'session/table.ts',
    'if (guards.now >= again) return comeBack(session, event, guards)\n',
    'if (again > 0) return session\n',
  ),
  // Nor does the slow attempt.
  edit('session/table.ts', 'return session.denials > 0 ? denied', 'return session.denials > -1 ? denied'),
]
const NEVER_NAMED = edit('session/choice.ts', '? named.session : undefined', '? undefined : undefined')

export const BUGS: readonly Bug[] = [
  // as they were found
  {
    id: 'D1',
    what: 'after a sleep our clock ends the session, and what was sent goes out again into a new one',
    edits: [
      BY_OUR_CLOCK,
      edit(
        'session/table.ts',
        '  (guards.sent || guards.incomplete) &&\n  !event.proven &&\n  !event.final &&',
        '  guards.sent && event.final === true &&',
      ),
      edit('outbox/items.ts', "if (item.tries > 0 && !proven) return { ...item, state: 'unconfirmed' }", ''),
    ],
  },
  {
    id: 'D2',
    what: 'after a sleep our clock ends the session, whatever was answered meanwhile',
    edits: [BY_OUR_CLOCK],
  },
  {
    id: 'D3a',
    what: 'an outbox item forgets its session at a reload',
    edits: [edit('effects/stored.ts', "typeof session === 'string' ? session : undefined", 'undefined')],
  },
  {
    id: 'D3b',
    what: 'two tabs have a conversation each',
    edits: [UNLOCKED, UNLOOKED],
  },
  {
    id: 'D4',
    what: 'a replay counts as over though no batch came',
    edits: [
      edit(
        'session/frame.ts',
        'if (replay.batch && !isCutShort(state)) return replayed(echoed, context)',
        'return replayed(echoed, context)',
      ),
    ],
  },
  {
    id: 'D5',
    what: 'a cut reconnects from behind an open hole',
    edits: [
      edit(
        'transcript/log.ts',
        'Math.min(cursor - 1, readable - 1, gap?.after ?? cursor, missingChunk?.after ?? cursor, skipped, before)',
        'Math.max(cursor - 1, readable ? 0 : 0, gap ? 0 : 0, missingChunk ? 0 : 0, 0 * skipped, before ? 0 : 0)',
      ),
    ],
  },
  {
    id: 'D6',
    what: 'a message whose echo is late goes out again without a replay',
    edits: [
      edit(
        'session/timers.ts',
        '    else events.push(ownClose(state))',
        '    else next = { ...next, outbox: outbox.missing(next.outbox) }',
      ),
    ],
  },
  {
    id: 'D7',
    what: 'a last chunk that overtakes completes a torn answer',
    edits: [
      edit(
        'transcript/streams.ts',
        'stream.last !== undefined && stream.next > stream.last',
        'stream.last !== undefined',
      ),
    ],
  },
  {
    id: 'D8',
    what: "a proxy's 502 counts as an answer of the chat host",
    edits: [
      edit(
        'access/access.ts',
        "error.status === 401 ? 'unknown' : undefined",
        "error.status !== undefined ? 'unknown' : undefined",
      ),
    ],
  },
  {
    id: 'D9',
    what: 'events that were seen before do not move the cursor',
    edits: [
      // What was before is kept apart: the state is changed in place where an event before it has copied it.
      edit(
        'transcript/receive.ts',
        'const next = amend(state, {',
        'const before = { ...state }\n  const next = amend(state, {',
      ),
      edit(
        'transcript/receive.ts',
        "if (repeated && event.type !== 'EVENT_TYPE_SESSION_END') return { state: next }",
        "if (repeated && event.type !== 'EVENT_TYPE_SESSION_END') return { state: before }",
      ),
    ],
  },
  {
    id: 'D10a',
    what: 'what waits as a conversation ends waits for ever',
    edits: [edit('outbox/items.ts', "      : { ...item, state: 'failed' }", '      : item')],
  },
  {
    id: 'D10b',
    what: 'an end while reconnecting never reaches the service',
    edits: [
      edit('session/step.ts', 'const later = isUntold(event, before) || isEnding', 'const later = false'),
    ],
  },
  {
    id: 'D11',
    what: 'typing does not help a page that was refused once',
    edits: GIVEN_UP,
  },
  {
    id: 'D12a',
    what: 'a service that knows no session has sessions made without end',
    edits: [
      edit(
        'session/table.ts',
        'guards.mayRenew && (session.unopened ?? 0) < MOST_UNOPENED',
        'guards && (session.unopened ?? 0) < MOST_UNOPENED * 1_000',
      ),
    ],
  },
  {
    id: 'D12b',
    what: 'a service that knows no conversation is asked to join without end',
    edits: [
      edit('transcript/system.ts', 'FIRST_PAUSE * 2 ** Math.max(0, times - 1)', '0'),
      edit('transcript/system.ts', 'if (times >= MOST_JOINS)', 'if (times < 0)'),
    ],
  },
  {
    id: 'D12c',
    what: 'a message without an echo goes out without end',
    edits: [edit('outbox/items.ts', 'item.tries >= MOST_TRIES', 'item.tries < 0')],
  },
  {
    id: 'D12d',
    what: 'an echo without metadata confirms nothing',
    edits: [
      edit(
        'transcript/receive.ts',
        'outbox.echoedBy(state.outbox, text, event.sequence, state.sessionId) ??\n',
        'undefined ??\n',
      ),
    ],
  },

  // sending
  {
    id: 'head',
    what: 'the newest message goes first',
    edits: [
      edit(
        'outbox/items.ts',
        'const first = outbox.find((item) => isWaiting(item)',
        'const first = outbox.findLast((item) => isWaiting(item)',
      ),
    ],
  },
  {
    id: 'unasked',
    what: 'a message goes out before the site allows it',
    edits: [edit('chat.ts', 'held: options.beforeSend !== undefined', 'held: false')],
  },
  {
    id: 'resend',
    what: 'what was sent goes out again after every reconnect, whatever the replay shows',
    edits: [
      edit(
        'transcript/receive.ts',
        'const rest = id === undefined ? state.outbox : outbox.without(state.outbox, id)',
        'const rest = id === undefined || event.replayed ? state.outbox : outbox.without(state.outbox, id)',
      ),
    ],
  },
  {
    id: 'vanish',
    what: 'what may have arrived is forgotten',
    edits: [
      edit(
        'outbox/items.ts',
        'export const settled = (outbox: Outbox, over: string | undefined, moves: boolean, proven: boolean): Outbox =>\n  change(outbox, (item) => {',
        'export const settled = (outbox: Outbox, over: string | undefined, moves: boolean, proven: boolean): Outbox =>\n  change(outbox.filter((item) => proven || !isSent(item)), (item) => {',
      ),
    ],
  },
  {
    id: 'stale-store',
    what: 'the store keeps a message as it was written, not as it was sent',
    edits: [
      edit(
        'effects/store.ts',
        'if (after.outbox !== before.outbox) stored.saveOutbox',
        'if (after.outbox.length !== before.outbox.length) stored.saveOutbox',
      ),
    ],
  },
  {
    id: 'no-store',
    what: 'a reload forgets what was not sent',
    edits: [edit('effects/stored.ts', 'return items.slice(0, MOST_ITEMS)', 'return items.slice(0, 0)')],
  },
  {
    id: 'foreign',
    what: 'what was written for one session goes into another',
    edits: [
      edit(
        'outbox/items.ts',
        'if (!isWaiting(item) || item.session === session) return item',
        "if (!isWaiting(item) || item.session === session) return item\n    if (session) return { ...item, session, state: 'queued' }",
      ),
    ],
  },
  {
    id: 'younger',
    what: 'an echo confirms a message that is younger than it',
    edits: [edit('outbox/items.ts', '(sequence ?? item.after + 1) > item.after', '(sequence ?? 1) > 0')],
  },
  {
    id: 'hold-up',
    what: 'a message that failed holds up the others',
    edits: [
      edit(
        'outbox/items.ts',
        "return first?.state === 'queued' ? first : undefined",
        "return first?.state === 'queued' && outbox[0] === first ? first : undefined",
      ),
    ],
  },
  {
    id: 'logout',
    what: 'what was written is still there after signing out',
    edits: [edit('session/step.ts', '    outbox: [],\n    unread: 0,', '    unread: 0,')],
  },

  // receiving
  {
    id: 'dedupe',
    what: 'an event that came before is applied again',
    edits: [
      edit('transcript/receive.ts', 'const repeated = log.seen.has(event.id)', 'const repeated = false'),
      edit('transcript/receive.ts', 'if (state.messages.has(key)) return', "if (key === '') return"),
    ],
  },
  {
    id: 'place',
    what: 'what comes late is shown last',
    edits: [
      edit(
        'transcript/entries.ts',
        'before.place <= entry.place) break',
        'before.place <= entry.place || entry) break',
      ),
    ],
  },
  {
    id: 'first-sequence',
    what: 'a replayed answer is put where it ended',
    edits: [edit('transcript/entries.ts', 'event.first_sequence ?? event.sequence', 'event.sequence')],
  },
  {
    id: 'repeat',
    what: 'a chunk that repeats is said twice',
    edits: [
      edit(
        'transcript/receive.ts',
        'const repeated = log.seen.has(event.id)',
        "const repeated = log.seen.has(event.id) && event.type !== 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'",
      ),
      edit(
        'transcript/streams.ts',
        'if (repeated) return { add: [] }',
        'if (repeated) return { add: [text] }',
      ),
    ],
  },
  {
    id: 'early',
    what: 'a chunk that comes early is dropped',
    edits: [
      edit(
        'transcript/streams.ts',
        'if (!repeated) texts.set(index, text)',
        'if (!repeated && index <= stream.next) texts.set(index, text)',
      ),
    ],
  },
  {
    id: 'zero',
    what: 'a chunk with the index 0 is dropped',
    edits: [
      edit(
        'transcript/streams.ts',
        'if (index === 0) return texts.size === 1 ? { add: [text] } : { all: shown(stream) }',
        'if (index === 0) return { add: [] }',
      ),
    ],
  },
  {
    id: 'unsorted',
    what: 'a batch is applied as it comes',
    edits: [{ file: 'protocol/read.ts', find: 'placed.sort((a, b) => a.at - b.at)', put: 'placed' }],
  },
  {
    id: 'unnamed',
    what: 'chunks without an id never begin a new message',
    edits: [
      edit(
        'transcript/answers.ts',
        'payload.message_id ? state.conversation.unnamed : payload.is_complete ? undefined : key',
        'payload.message_id ? state.unnamed : key',
      ),
    ],
  },
  {
    id: 'half',
    what: 'a replayed whole answer leaves the half that was streamed',
    edits: [
      edit(
        'transcript/answers.ts',
        '{ ...content, pieces: before.pieces, length: before.length } : content',
        '{ ...content, pieces: before.pieces, length: before.length } : { ...before, complete: true }',
      ),
    ],
  },
  {
    id: 'hole',
    what: 'a hole in the sequences is never mended',
    edits: [
      edit(
        'transcript/log.ts',
        'const opensGap = !replayed && log.cursor > 0',
        'const opensGap = !replayed && log.cursor < 0',
      ),
    ],
  },
  {
    id: 'wild',
    what: 'a frame of nonsense moves the cursor',
    edits: [
      edit(
        'transcript/log.ts',
        'before === 0 || sequence !== before + 1) return log',
        'before === 0) return log',
      ),
    ],
  },
  {
    id: 'cursor',
    what: 'a reconnect asks for everything but what was missed',
    edits: [
      edit(
        'transcript/log.ts',
        'Math.min(cursor - 1, readable - 1, gap?.after ?? cursor, missingChunk?.after ?? cursor, skipped, before)',
        'cursor + 1 + 0 * (gap?.after ?? missingChunk?.after ?? skipped) + (before || readable ? 0 : 0)',
      ),
    ],
  },

  // staying alive
  {
    id: 'half-open',
    what: 'a heartbeat that is not answered is forgotten',
    edits: [
      edit(
        'session/timers.ts',
        "if (is('answer')) {",
        "if (is('answer')) next = { ...next, probe: { ...next.probe, asked: undefined, last: now } }\n  if (next === undefined) {",
      ),
    ],
  },
  {
    id: 'deaf',
    what: 'a connection that rests is never probed',
    edits: [
      edit(
        'session/timers.ts',
        'probe: mayProbe ? probe.last + probeInterval(state) : NEVER,',
        'probe: mayProbe && isWarned(state) ? probe.last + probeInterval(state) : NEVER,',
      ),
      edit(
        'session/timers.ts',
        '/** Milliseconds between probes: at',
        'const isWarned = (state: State): boolean => state.endsAt !== undefined\n/** Milliseconds between probes: at',
      ),
    ],
  },
  {
    id: 'no-backoff',
    what: 'a connection that fails is tried again at once',
    edits: [
      edit(
        'session/table.ts',
        'fails < DELAYS.length ? random * (DELAYS[fails] ?? 0) : ((1 + random) * longest) / 2',
        '0 * random * longest + 20',
      ),
    ],
  },
  {
    id: 'no-forgiveness',
    what: 'failures are never forgiven',
    edits: [
      edit(
        'session/table.ts',
        'fails: steady ? 0 : session.fails + 1',
        'fails: session.fails + 1 + (steady ? 0 : 0)',
      ),
      edit(
        'session/table.ts',
        'const longest = visible ? 15_000 : 30_000',
        'const longest = visible ? 150_000 : 300_000',
      ),
    ],
  },
  {
    id: 'hang',
    what: 'a request that hangs is waited for without end',
    edits: [
      edit(
        'access/request.ts',
        'const stop = clock.after(TIMEOUT, abort)',
        'const stop = clock.after(TIMEOUT * 1_000, abort)',
      ),
    ],
  },
  {
    id: 'hang-handshake',
    what: 'a handshake that hangs is waited for without end',
    edits: [
      edit('socket/socket.ts', 'const HANDSHAKE_TIMEOUT = 10_000', 'const HANDSHAKE_TIMEOUT = 100_000_000'),
    ],
  },
  {
    id: 'refused',
    what: 'a session that is gone is asked for without end',
    edits: [edit('session/table.ts', 'refusals: session.refusals + (isRefused ? 1 : 0),', 'refusals: 0,')],
  },
  {
    id: 'no-end',
    what: 'the end of a session is not heard',
    edits: [
      edit(
        'transcript/receive.ts',
        "outcome: { over: { expired: reason === 'REASON_USER_ABANDONED', reason } }",
        'outcome: {}',
      ),
    ],
  },
  {
    id: 'wake-up',
    what: 'opening a chat that has expired makes a session',
    edits: [
      edit('session/table.ts', '  act: enterNew,\n  open: follow,', '  act: enterNew,\n  open: enterNew,'),
    ],
  },

  // tabs, each with a socket of its own
  {
    id: 'no-lock',
    what: 'a tab enters a session while another one does',
    edits: [UNLOCKED],
  },
  {
    id: 'patience',
    what: 'a tab waits without end for the tab that enters a session',
    edits: [
      edit(
        'effects/locks.ts',
        "request('enter', ENTER_PATIENCE,",
        "request('enter', ENTER_PATIENCE * 1_000,",
      ),
    ],
  },
  {
    id: 'stood-still',
    what: 'a tab that stood still while it made a session does not look for one that was made meanwhile',
    edits: [UNLOOKED],
  },
  {
    id: 'refused-live',
    what: 'a session that refuses a tab is renewed though another one is live in it',
    edits: [edit('effects/enter.ts', 'own !== undefined && isDenied ?', 'own === undefined && isDenied ?')],
  },
  {
    id: 'replaced-token',
    what: 'a tab that finds no token makes a session though another one is live in its own',
    edits: [
      edit(
        'effects/enter.ts',
        '!session.follows && (await tabs.whoIsLive(lost)).length > 0',
        '!session.follows && lost === undefined',
      ),
    ],
  },
  {
    id: 'no-store-asked',
    what: 'a tab that can read no store makes a session though another one is live',
    edits: [
      edit('effects/enter.ts', 'choose(session, isLost) === undefined && !storing.works()', '!storing'),
    ],
  },
  {
    id: 'taken-for-good',
    what: 'a tab that got no socket does not try again by itself',
    edits: [edit('session/table.ts', 'again: guards.now + TAKEN_AGAIN', 'at: guards.now')],
  },
  {
    id: 'no-answer',
    what: 'a tab that is live does not say so when it is asked',
    edits: [
      edit(
        'effects/tabs.ts',
        'if (state.sessionId === undefined || !isConnected(state)) return\n',
        'return\n',
      ),
    ],
  },
  {
    id: 'active-unsaid',
    what: 'a tab does not tell the others that the visitor types in it',
    edits: [
      edit('effects/tabs.ts', 'typed.keyAt > before.typed.keyAt &&', 'typed.keyAt < before.typed.keyAt &&'),
    ],
  },
  {
    id: 'active-unheard',
    what: 'a tab does not hear that the visitor types in another one',
    edits: [
      edit(
        'session/others.ts',
        '...activity(Math.max(state.activeAt - state.slept, now - idleFor)),',
        '...(now + idleFor < 0 ? activity(now) : {}),',
      ),
    ],
  },
  {
    id: 'unjoined',
    what: 'a tab that is used stays in its session though the others have gone on in another one',
    edits: [
      edit(
        'session/table.ts',
        'if (guards.other === undefined || guards.other === session.sessionId) return session\n',
        'if (guards.other !== session.sessionId) return session\n',
      ),
    ],
  },
  {
    id: 'session-unsaid',
    what: 'a tab does not tell the others in which session it goes on',
    edits: [
      edit(
        'effects/tabs.ts',
        'if (sessionId !== before.sessionId && sessionId !== before.named?.session)',
        'if (sessionId === before.named?.why)',
      ),
    ],
  },
  {
    id: 'renamed',
    what: 'a tab that reconnects takes its session for the one in which the tabs go on',
    edits: [
      edit(
        'session/step.ts',
        'named: sessionId === state.sessionId ? after.named : { session: sessionId },',
        'named: { session: sessionId },',
      ),
    ],
  },
  {
    id: 'left-early',
    what: 'a tab leaves its session before that has told what became of its messages',
    edits: [
      edit(
        'session/table.ts',
        '  if (guards.sent || guards.incomplete) return session.follows ? session',
        '  if (!guards) return session.follows ? session',
      ),
      edit(
        'session/choice.ts',
        'return used && !unsettled ? other : own',
        'return used || unsettled ? other : own',
      ),
    ],
  },
  {
    id: 'taken-back',
    what: 'a tab that was not used follows the others to another session',
    edits: [
      edit(
        'session/choice.ts',
        'return used && !unsettled ? other : own',
        'return used || !unsettled ? other : own',
      ),
    ],
  },
  {
    id: 'no-claim',
    what: 'a tab that loads a message sends it though another page has it too',
    edits: [
      edit(
        'effects/locks.ts',
        'CLAIM_PATIENCE, (given) =>',
        'unclaimed ? 0 : CLAIM_PATIENCE, (given = true) =>',
      ),
      edit('effects/locks.ts', "given ? 'claimed' : 'copied'", "given || unclaimed ? 'claimed' : 'copied'"),
    ],
  },
  {
    id: 'unclaimed',
    what: 'a message that was loaded is never claimed',
    edits: [
      edit('effects/locks.ts', 'if (unclaimed && held.has(id))', 'if (unclaimed && held.has(id) && !given)'),
    ],
  },
  {
    id: 'sent-unclaimed',
    what: 'a message that was loaded is sent before it is known whose it is',
    edits: [
      edit('outbox/next.ts', 'if (!item || state.outbox.some(({ unclaimed }) => unclaimed))', 'if (!item)'),
    ],
  },
  {
    id: 'copy-echo',
    what: 'an echo that names no message confirms nothing in a copy of the page that sent it',
    edits: [
      edit(
        'transcript/receive.ts',
        'item.unclaimed && item.text.trim() === text.trim()',
        "item.unclaimed && item.text === ''",
      ),
    ],
  },
  {
    id: 'short-lock',
    what: 'a page that waits for the lock of a message gets it as soon as that is confirmed',
    edits: [edit('effects/locks.ts', 'if (held.size <= MOST_LOCKS) return\n', '')],
  },
  {
    id: 'locks-kept',
    what: 'a page that is frozen keeps its locks',
    edits: [edit('effects/locks.ts', 'for (const release of [...releases]) release()\n', '')],
  },
  {
    id: 'locks-lost',
    what: 'a page that comes back does not take its locks again',
    edits: [edit('effects/locks.ts', '    held.clear()\n', '')],
  },
  {
    id: 'claimed-away',
    what: 'a page that comes back sends what a copy of it may have sent',
    edits: [edit('session/step.ts', 'outbox: outbox.unclaimed(state.outbox),', 'outbox: state.outbox,')],
  },
  {
    id: 'signed-out',
    what: 'a tab does not tell the others that the visitor has signed out',
    edits: [edit('effects/tabs.ts', "used?.post({ type: 'signed out', mark, ago: undefined })", 'void mark')],
  },

  // the end
  {
    id: 'end-hole',
    what: 'what is missing as the session ends is never asked for',
    edits: [edit('session/table.ts', '(guards.sent || guards.incomplete) &&', 'guards.sent &&')],
  },
  {
    id: 'no-token',
    what: 'an end before the first token reaches nobody',
    edits: [edit('access/access.ts', 'if (!asks || !(await', 'if (asks || !(await')],
  },
  {
    id: 'join-now',
    what: 'a join that cannot be said is waited for at the same instant for ever',
    edits: [edit('session/timers.ts', 'join.notBefore || NEVER', 'join.notBefore')],
  },
  {
    id: 'late-first',
    what: 'a first piece that comes late leaves its answer where it is',
    edits: [
      edit(
        'transcript/answers.ts',
        'return { state: moveMessage(state, key, placeOf(event, state)) }',
        'return { state }',
      ),
    ],
  },
  {
    id: 'typed-away',
    what: 'what was typed during an outage counts from then, not from when the service hears of it',
    edits: [
      edit(
        'reduce.ts',
        '...activity(now),\n    typed: { ...state.typed, sent',
        'typed: { ...state.typed, sent',
      ),
    ],
  },
  {
    id: 'lost-word',
    what: 'a conversation that expired in a sleep is called lost, since a message went into its dead socket',
    edits: [
      edit(
        'session/timers.ts',
        'isIdleTimedOut(state, now) ||\n  now >=',
        'isIdleTimedOut(state, now) || 0 >=',
      ),
    ],
  },

  // one for each kind of breach, which no other check finds
  ...(
    [
      [
        'lost',
        'a reload forgets what waits',
        edit('effects/stored.ts', 'return items.slice(0, MOST_ITEMS)', 'return []'),
      ],
      [
        'hidden',
        'what a person says is not shown',
        edit(
          'transcript/answers.ts',
          'if (isBlank(content)) return',
          "if (isBlank(content) || role === 'live') return",
        ),
      ],
      [
        'vanished',
        'a new session takes what was said off the screen',
        edit('session/step.ts', ': [...closed.transcript, { ...divider,', ': [{ ...divider,'),
      ],
      [
        'doubled',
        'each message is sent twice, which only a service notices that keeps both',
        edit(
          'effects/converse.ts',
          'if (next && connection.send(next.frame))',
          "if (next && connection.send(next.frame) && (next.frame.type !== 'EVENT_TYPE_USER_MESSAGE' || connection.send(next.frame)))",
        ),
      ],
      [
        'repeated',
        'a message that comes again is shown again',
        edit('transcript/receive.ts', 'const repeated = log.seen.has(event.id)', 'const repeated = false'),
        edit('transcript/receive.ts', 'if (state.messages.has(key)) return', "if (key === '') return"),
      ],
      [
        'reordered',
        'the newest message goes first',
        edit(
          'outbox/items.ts',
          'const first = outbox.find((item) => isWaiting(item)',
          'const first = outbox.findLast((item) => isWaiting(item)',
        ),
      ],
      [
        'misplaced',
        'what comes late is shown last',
        edit(
          'transcript/entries.ts',
          'before.place <= entry.place) break',
          'before.place <= entry.place || entry) break',
        ),
      ],
      [
        'torn',
        'a chunk that comes early is dropped',
        edit(
          'transcript/streams.ts',
          'if (!repeated) texts.set(index, text)',
          "if (!repeated) texts.set(index, index <= stream.next ? text : '')",
        ),
      ],
      ['stuck', 'a chat that was refused once tries no more, whatever is typed', ...GIVEN_UP],
      ['split', 'a tab never goes on where the others have gone on', NEVER_NAMED],
      [
        'storm',
        'a connection that fails is tried again at once',
        edit(
          'session/table.ts',
          'fails < DELAYS.length ? random * (DELAYS[fails] ?? 0) : ((1 + random) * longest) / 2',
          '0 * random * longest + 20',
        ),
      ],
      ['thrown', 'our clock ends the session, whatever was answered meanwhile', BY_OUR_CLOCK],
      [
        'dishonest',
        'an end by the agent is told as one by the visitor',
        edit(
          'session/step.ts',
          "if (before.name === 'ended' || endReason) return 'ended'",
          "if (before.name === 'ended' || endReason) return 'restarted'",
        ),
      ],
      [
        'leaked',
        'a message goes out before the site allows it',
        edit('chat.ts', 'held: options.beforeSend !== undefined', 'held: false'),
      ],
      [
        'signs',
        'what arrives while the panel is looked at counts as unread',
        edit('transcript/answers.ts', 'state.shown ||\n  state.counted.has(key)', 'state.counted.has(key)'),
      ],
      [
        'left',
        'a page that is closed leaves its socket open',
        edit(
          'effects/connect.ts',
          'open.socket.close(session.name',
          "if (session.name !== 'disposed') open.socket.close(session.name",
        ),
      ],
      [
        'threw',
        'to keep the chat alive throws',
        edit(
          'chat.ts',
          "keepAlive: () => dispatch({ type: 'keep' }),",
          "keepAlive: () => {\n      throw new Error('seeded')\n    },",
        ),
      ],
    ] as const satisfies readonly (readonly [Kind, string, ...Edit[]])[]
  ).map(([only, what, ...edits]): Bug => ({ id: `only-${only}`, what, only, edits })),
]

/**
 * The bugs of `npm test`, each with the schedule that finds it: its number in the order in which bugs.test.ts tries them. That one is tried
 * first; where it finds the bug no more, all others are.
 */
export const FOUND_BY: Readonly<Record<string, number>> = {
  D4: 13,
  D8: 128,
  D12c: 124,
  D12d: 3,
  'no-end': 6,
  'no-lock': 6,
  patience: 84,
  'stood-still': 69,
  'refused-live': 74,
  'active-unsaid': 78,
  'no-answer': 55,
  'no-claim': 5,
  unclaimed: 5,
  'only-lost': 8,
  'only-hidden': 59,
  'only-vanished': 4,
  'only-doubled': 1,
  'only-repeated': 65,
  'only-reordered': 13,
  'only-misplaced': 3,
  'only-torn': 22,
  'only-stuck': 42,
  'only-split': 4,
  'only-storm': 2,
  'only-thrown': 10,
  'only-dishonest': 22,
  'only-leaked': 5,
  'only-signs': 3,
  'only-left': 3,
  'only-threw': 21,
}
