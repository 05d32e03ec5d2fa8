// Bugs that were made, or that anybody could make, each as the edit that brings it back.

import type { Kind } from './oracle.ts'

export type Bug = {
  readonly id: string
  readonly what: string
  /** Found within seconds: part of `npm test`. */
  readonly quick?: true
  /** A schedule finds it that shows this kind of breach and no other: were its check blind, the bug would not be found. */
  readonly only?: Kind
  readonly edits: readonly Edit[]
}
/** `find` stands exactly once in the file below src/. */
type Edit = { readonly file: string; readonly find: string; readonly put: string }

const edit = (file: string, find: string, put: string): Edit => ({ file: `chat/${file}`, find, put })

const BY_OUR_CLOCK = edit(
  'timers.ts',
  'expire: askedAt >= rested ? askedAt + EXPIRY_GRACE : NEVER,',
  'expire: rested,',
)

export const BUGS: readonly Bug[] = [
  // as they were found
  {
    id: 'D1',
    what: 'after a sleep our clock ends the session, and what was sent goes out again into a new one',
    edits: [
      BY_OUR_CLOCK,
      edit(
        'session.ts',
        '  (facts.sent || facts.hole) &&\n  !event.proven &&\n  !event.final &&',
        '  facts.sent && event.final === true &&',
      ),
      edit('outbox.ts', "if (item.tries > 0 && !proven) return { ...item, state: 'unconfirmed' }", ''),
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
    edits: [edit('stored.ts', "typeof session === 'string' ? session : undefined", 'undefined')],
  },
  {
    id: 'D3b',
    what: 'two tabs have a conversation each',
    quick: true,
    edits: [
      edit(
        'tabs.ts',
        "    if (role !== 'none') return\n    role = 'seeking'",
        "    return\n    role = 'seeking'",
      ),
    ],
  },
  {
    id: 'D4',
    what: 'a replay counts as over though no batch came',
    quick: true,
    edits: [
      edit(
        'reduce.ts',
        'if (replay.batch && !isCutShort(state)) return replayed(heard, moment)',
        'return replayed(heard, moment)',
      ),
    ],
  },
  {
    id: 'D5',
    what: 'a cut reconnects from behind an open hole',
    edits: [
      edit(
        'log.ts',
        'Math.min(cursor - 1, readable - 1, gap?.after ?? cursor, torn?.after ?? cursor, skipped, before)',
        'Math.max(cursor - 1, readable ? 0 : 0, gap ? 0 : 0, torn ? 0 : 0, 0 * skipped, before ? 0 : 0)',
      ),
    ],
  },
  {
    id: 'D6',
    what: 'a message whose echo is late goes out again without a replay',
    edits: [
      edit(
        'timers.ts',
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
        'streams.ts',
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
        'access.ts',
        'if (status !== undefined && status !== 401) throw error',
        'if (status !== undefined && status !== 401) return true',
      ),
    ],
  },
  {
    id: 'D9',
    what: 'events that were seen before do not move the cursor',
    edits: [
      // What was before is kept apart: the state is changed in place where an event before it has copied it.
      edit(
        'receive.ts',
        'const next = amended(state, {',
        'const before = { ...state }\n  const next = amended(state, {',
      ),
      edit(
        'receive.ts',
        "if (repeated && event.type !== 'EVENT_TYPE_SESSION_END') return { state: next, after: {} }",
        "if (repeated && event.type !== 'EVENT_TYPE_SESSION_END') return { state: before, after: {} }",
      ),
    ],
  },
  {
    id: 'D10a',
    what: 'what waits as a conversation ends waits for ever',
    edits: [edit('outbox.ts', "      : { ...item, state: 'failed' }", '      : item')],
  },
  {
    id: 'D10b',
    what: 'an end while reconnecting never reaches the service',
    edits: [
      edit('reduce.ts', 'owed: isUntold(event, before) ? after.sessionId : undefined', 'owed: undefined'),
    ],
  },
  {
    id: 'D11',
    what: 'typing does not help a page that was refused once',
    edits: [
      edit(
        'session.ts',
        'if (facts.now >= again) return enterAgain(session, event, facts)\n',
        'if (again > 0) return session\n',
      ),
      // Nor does the slow attempt.
      edit('session.ts', 'return session.denials > 0 ? denied', 'return session.denials > -1 ? denied'),
    ],
  },
  {
    id: 'D12a',
    what: 'a service that knows no session has sessions made without end',
    edits: [
      edit(
        'session.ts',
        'facts.mayRenew && (session.unopened ?? 0) < MOST_UNOPENED',
        'facts && (session.unopened ?? 0) < MOST_UNOPENED * 1_000',
      ),
    ],
  },
  {
    id: 'D12b',
    what: 'a service that knows no conversation is asked to join without end',
    edits: [
      edit('system.ts', 'FIRST_PAUSE * 2 ** Math.max(0, times - 1)', '0'),
      edit('system.ts', 'if (times >= MOST_JOINS)', 'if (times < 0)'),
    ],
  },
  {
    id: 'D12c',
    what: 'a message without an echo goes out without end',
    quick: true,
    edits: [edit('outbox.ts', 'item.tries >= MOST_TRIES', 'item.tries < 0')],
  },
  {
    id: 'D12d',
    what: 'an echo without metadata confirms nothing',
    quick: true,
    edits: [
      edit(
        'receive.ts',
        'idOf(event.metadata?.custom) ?? outbox.echoedBy(state.outbox, text, event.sequence, state.sessionId)',
        'idOf(event.metadata?.custom)',
      ),
      edit(
        'host.ts',
        'const id = sentLast(own ? [...guests, own] : guests)?.id',
        'const id = sentLast(own ? guests : guests)?.id',
      ),
    ],
  },

  // sending
  {
    id: 'head',
    what: 'the newest message goes first',
    quick: true,
    edits: [
      edit(
        'outbox.ts',
        'const first = outbox.find((item) => isWaiting(item)',
        'const first = outbox.findLast((item) => isWaiting(item)',
      ),
    ],
  },
  {
    id: 'unasked',
    what: 'a message goes out before the site allows it',
    quick: true,
    edits: [edit('chat.ts', 'held: options.beforeSend !== undefined', 'held: false')],
  },
  {
    id: 'resend',
    what: 'what was sent goes out again after every reconnect, whatever the replay shows',
    edits: [
      edit(
        'receive.ts',
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
        'outbox.ts',
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
        'chat.ts',
        'if (after.outbox !== before.outbox) stored.saveOutbox',
        'if (after.outbox.length !== before.outbox.length) stored.saveOutbox',
      ),
    ],
  },
  {
    id: 'no-store',
    what: 'a reload forgets what was not sent',
    quick: true,
    edits: [edit('stored.ts', 'return items.slice(0, MOST_ITEMS)', 'return items.slice(0, 0)')],
  },
  {
    id: 'foreign',
    what: 'what was written for one session goes into another',
    edits: [
      edit(
        'outbox.ts',
        'if (!isWaiting(item) || item.session === session) return item',
        "if (!isWaiting(item) || item.session === session) return item\n    if (session) return { ...item, session, state: 'queued' }",
      ),
    ],
  },
  {
    id: 'younger',
    what: 'an echo confirms a message that is younger than it',
    edits: [edit('outbox.ts', '(sequence ?? item.after + 1) > item.after', '(sequence ?? 1) > 0')],
  },
  {
    id: 'hold-up',
    what: 'a message that failed holds up the others',
    quick: true,
    edits: [
      edit(
        'outbox.ts',
        "return first?.state === 'queued' ? first : undefined",
        "return first?.state === 'queued' && outbox[0] === first ? first : undefined",
      ),
    ],
  },
  {
    id: 'logout',
    what: 'what was written is still there after signing out',
    edits: [edit('reduce.ts', '    outbox: [],\n    unread: 0,', '    unread: 0,')],
  },

  // receiving
  {
    id: 'dedupe',
    what: 'an event that came before is applied again',
    edits: [
      edit('receive.ts', 'const repeated = next.log.seen.has(event.id)', 'const repeated = false'),
      edit('receive.ts', 'if (state.messages.has(key)) return', "if (key === '') return"),
    ],
  },
  {
    id: 'place',
    what: 'what comes late is shown last',
    edits: [
      edit(
        'transcript.ts',
        'before.place <= entry.place) break',
        'before.place <= entry.place || entry) break',
      ),
    ],
  },
  {
    id: 'first-sequence',
    what: 'a replayed answer is put where it ended',
    edits: [edit('transcript.ts', 'event.first_sequence ?? event.sequence', 'event.sequence')],
  },
  {
    id: 'repeat',
    what: 'a chunk that repeats is said twice',
    edits: [
      edit(
        'receive.ts',
        'const repeated = next.log.seen.has(event.id)',
        "const repeated = next.log.seen.has(event.id) && event.type !== 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'",
      ),
      edit('streams.ts', 'if (repeated) return { add: [] }', 'if (repeated) return { add: [text] }'),
    ],
  },
  {
    id: 'early',
    what: 'a chunk that comes early is dropped',
    edits: [
      edit(
        'streams.ts',
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
        'streams.ts',
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
        'receive.ts',
        'payload.message_id ? state.unnamed : payload.is_complete ? undefined : key',
        'payload.message_id ? state.unnamed : key',
      ),
    ],
  },
  {
    id: 'half',
    what: 'a replayed whole answer leaves the half that was streamed',
    edits: [
      edit(
        'receive.ts',
        '{ ...content, pieces: before.pieces, length: before.length } : content',
        '{ ...content, pieces: before.pieces, length: before.length } : { ...before, complete: true }',
      ),
    ],
  },
  {
    id: 'hole',
    what: 'a hole in the sequences is never mended',
    edits: [
      edit('log.ts', 'const hole = !replayed && log.cursor > 0', 'const hole = !replayed && log.cursor < 0'),
    ],
  },
  {
    id: 'wild',
    what: 'a frame of nonsense moves the cursor',
    edits: [
      edit('log.ts', 'before === 0 || sequence !== before + 1) return log', 'before === 0) return log'),
    ],
  },
  {
    id: 'cursor',
    what: 'a reconnect asks for everything but what was missed',
    edits: [
      edit(
        'log.ts',
        'Math.min(cursor - 1, readable - 1, gap?.after ?? cursor, torn?.after ?? cursor, skipped, before)',
        'cursor + 1 + 0 * (gap?.after ?? torn?.after ?? skipped) + (before || readable ? 0 : 0)',
      ),
    ],
  },

  // staying alive
  {
    id: 'half-open',
    what: 'a heartbeat that is not answered is forgotten',
    edits: [
      edit(
        'timers.ts',
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
        'timers.ts',
        'probe: idle ? probe.last + probeInterval(state) : NEVER,',
        'probe: idle && now(state) ? probe.last + probeInterval(state) : NEVER,',
      ),
      edit(
        'timers.ts',
        '/** Milliseconds between probes: at',
        'const now = (state: State): boolean => state.endsAt !== undefined\n/** Milliseconds between probes: at',
      ),
    ],
  },
  {
    id: 'no-backoff',
    what: 'a connection that fails is tried again at once',
    quick: true,
    edits: [
      edit(
        'session.ts',
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
        'session.ts',
        'fails: steady ? 0 : session.fails + 1',
        'fails: session.fails + 1 + (steady ? 0 : 0)',
      ),
      edit(
        'session.ts',
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
        'access.ts',
        'const stop = clock.after(TIMEOUT, abort)',
        'const stop = clock.after(TIMEOUT * 1_000, abort)',
      ),
    ],
  },
  {
    id: 'hang-handshake',
    what: 'a handshake that hangs is waited for without end',
    edits: [edit('socket.ts', 'const HANDSHAKE_TIMEOUT = 10_000', 'const HANDSHAKE_TIMEOUT = 100_000_000')],
  },
  {
    id: 'refused',
    what: 'a session that is gone is asked for without end',
    edits: [
      edit('session.ts', "refusals: session.name === 'connecting' ? session.refusals + 1 : 0", 'refusals: 0'),
    ],
  },
  {
    id: 'no-end',
    what: 'the end of a session is not heard',
    quick: true,
    edits: [
      edit(
        'receive.ts',
        "after: { over: { expired: reason === 'REASON_USER_ABANDONED', reason } }",
        'after: {}',
      ),
    ],
  },
  {
    id: 'wake-up',
    what: 'opening a chat that has expired makes a session',
    edits: [
      edit(
        'session.ts',
        '> = { act: enterNew, restart: enterNew, logout: forget, dispose }',
        '> = { act: enterNew, open: enterNew as never, restart: enterNew, logout: forget, dispose }',
      ),
    ],
  },

  // tabs
  {
    id: 'tab-frames',
    what: 'a tab without the socket hears nothing of what happens',
    quick: true,
    edits: [
      edit(
        'tabs.ts',
        'if (open && session === message.session && (message.socket ?? socket) === socket)',
        'if (open && session === message.session && message.socket === socket)',
      ),
    ],
  },
  {
    id: 'hearsay',
    what: 'a tab that takes over believes what it heard of another, holes and all',
    edits: [
      edit('chat.ts', 'after.stalls > 0 || (hearsay && !follows)', 'after.stalls > 0'),
      edit(
        'host.ts',
        "if (now.name !== 'live' || isMending(state(), clock.now())) return",
        "if (now.name !== 'live' || (isMending(state(), clock.now()) && !now)) return",
      ),
    ],
  },
  {
    id: 'guests-sent',
    what: 'a tab is let in again while what it sent is still on its way',
    edits: [
      edit(
        'host.ts',
        "if (session.name === 'live' && session.run !== run) {",
        "if (session.name === 'live') run = session.run\n    if (run !== -1) {\n      onTheWay.clear()\n    }\n    if (session.name === 'live' && session.run !== run) {",
      ),
    ],
  },
  {
    id: 'same-words',
    what: 'an echo without metadata confirms the same words of two tabs',
    edits: [
      edit('host.ts', '.filter(isIt).filter(isFree)', '.filter((sent) => isIt(sent) && !sent.id)'),
      edit('host.ts', 'const known = names.get(key)', 'const known = undefined'),
    ],
  },
  {
    id: 'end-on-the-way',
    what: 'the end of a session proves that a message of another tab did not arrive',
    edits: [edit('host.ts', 'if (ends && onTheWay.size > 0)', 'if (ends && onTheWay.size < 0)')],
  },
  {
    id: 'left-behind',
    what: 'a tab that comes back late never sees how its session ended',
    edits: [edit('host.ts', 'histories.get(own)?.since(0)', 'undefined')],
  },
  {
    id: 'unwanted',
    what: 'a tab makes a session though another one waits to go on in its own',
    edits: [edit('chat.ts', '(anew ? undefined : tabs?.wanted(past))', 'undefined')],
  },
  {
    id: 'no-guests',
    what: 'a tab does not know that it has no socket of its own',
    edits: [edit('share.ts', 'follows: () => tabs?.follows() ?? false', 'follows: () => tabs === undefined')],
  },
  {
    id: 'lease',
    what: 'who asked first for a lease does not see that another has it',
    edits: [edit('lease.ts', 'if (!isMine(key)) return ask()', 'if (!key) return ask()')],
  },
  {
    id: 'rested',
    what: 'a tab that comes counts the time of inactivity by itself',
    edits: [
      edit(
        'tabs.ts',
        "dispatch({ type: 'active', rested: message.rested || 0 })\n        return remote",
        'return remote',
      ),
    ],
  },

  // the end
  {
    id: 'end-hole',
    what: 'what is missing as the session ends is never asked for',
    edits: [edit('session.ts', '(facts.sent || facts.hole) &&', 'facts.sent &&')],
  },
  {
    id: 'no-token',
    what: 'an end before the first token reaches nobody',
    edits: [edit('access.ts', 'if (!asks || !(await', 'if (asks || !(await')],
  },
  {
    id: 'join-now',
    what: 'a join that cannot be said is waited for at the same instant for ever',
    edits: [edit('timers.ts', 'join.notBefore || NEVER', 'join.notBefore')],
  },
  {
    id: 'late-first',
    what: 'a first piece that comes late leaves its answer where it is',
    edits: [
      edit(
        'receive.ts',
        'return { state: moved(state, key, placeOf(event, state)), after: {} }',
        'return { state, after: {} }',
      ),
    ],
  },
  {
    id: 'frozen-names',
    what: 'a tab that was frozen does not hear whose an echo without a name is',
    edits: [edit('host.ts', 'store.set(NAMES,', 'void (NAMES,')],
  },
  {
    id: 'second-echo',
    what: 'of two echoes without a name in one batch the second confirms nothing',
    edits: [edit('host.ts', '.filter(isIt).filter(isFree)', '.filter(isIt)')],
  },
  {
    id: 'heartbeats',
    what: 'each part of a replay is answered with a heartbeat',
    edits: [edit('reduce.ts', 'answered && batch && !isCutShort(state)', 'answered && batch')],
  },
  {
    id: 'typed-away',
    what: 'what was typed during an outage counts from then, not from when the service hears of it',
    edits: [
      edit('reduce.ts', '...active(now),\n        own: { ...state.own, told', 'own: { ...state.own, told'),
    ],
  },
  {
    id: 'lost-word',
    what: 'a conversation that expired in a sleep is called lost, since a message went into its dead socket',
    edits: [edit('timers.ts', 'isRested(state, now) || now >=', 'isRested(state, now) || 0 >=')],
  },

  // one for each kind of breach, which no other check finds
  ...(
    [
      [
        'lost',
        'a reload forgets what waits',
        edit('stored.ts', 'return items.slice(0, MOST_ITEMS)', 'return []'),
      ],
      [
        'hidden',
        'what a person says is not shown',
        edit('receive.ts', 'if (isBlank(content)) return', "if (isBlank(content) || role === 'live') return"),
      ],
      [
        'vanished',
        'a new session takes what was said off the screen',
        edit('reduce.ts', ': [...closed.transcript, { ...divider,', ': [{ ...divider,'),
      ],
      [
        'doubled',
        'each message is sent twice, which only a service notices that keeps both',
        edit(
          'chat.ts',
          'if (emit(next.frame)) queue',
          "if (emit(next.frame) && (next.frame.type !== 'EVENT_TYPE_USER_MESSAGE' || emit(next.frame))) queue",
        ),
      ],
      [
        'repeated',
        'a message that comes again is shown again',
        edit('receive.ts', 'const repeated = next.log.seen.has(event.id)', 'const repeated = false'),
        edit('receive.ts', 'if (state.messages.has(key)) return', "if (key === '') return"),
      ],
      [
        'reordered',
        'the newest message goes first',
        edit(
          'outbox.ts',
          'const first = outbox.find((item) => isWaiting(item)',
          'const first = outbox.findLast((item) => isWaiting(item)',
        ),
      ],
      [
        'misplaced',
        'what comes late is shown last',
        edit(
          'transcript.ts',
          'before.place <= entry.place) break',
          'before.place <= entry.place || entry) break',
        ),
      ],
      [
        'torn',
        'a chunk that comes early is dropped',
        edit(
          'streams.ts',
          'if (!repeated) texts.set(index, text)',
          "if (!repeated) texts.set(index, index <= stream.next ? text : '')",
        ),
      ],
      [
        'stuck',
        'what is typed does not come to rest in a message that goes out',
        edit(
          'outbox.ts',
          "return first?.state === 'queued' ? first : undefined",
          'return first && undefined',
        ),
      ],
      [
        'split',
        'each tab has a conversation of its own',
        edit(
          'tabs.ts',
          "    if (role !== 'none') return\n    role = 'seeking'",
          "    return\n    role = 'seeking'",
        ),
      ],
      [
        'storm',
        'a connection that fails is tried again at once',
        edit(
          'session.ts',
          'fails < DELAYS.length ? random * (DELAYS[fails] ?? 0) : ((1 + random) * longest) / 2',
          '0 * random * longest + 20',
        ),
      ],
      ['thrown', 'our clock ends the session, whatever was answered meanwhile', BY_OUR_CLOCK],
      [
        'dishonest',
        'an end by the agent is told as one by the visitor',
        edit(
          'reduce.ts',
          "if (before.name === 'ended' || verdict) return 'ended'",
          "if (before.name === 'ended' || verdict) return 'restarted'",
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
        edit('receive.ts', 'state.shown || state.counted.has(key)', 'state.counted.has(key)'),
      ],
      [
        'left',
        'a page that is closed leaves its socket open',
        edit(
          'chat.ts',
          '      socket.socket.close(session.name',
          "      if (session.name !== 'disposed') socket.socket.close(session.name",
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
  ).map(([only, what, ...edits]): Bug => ({ id: `only-${only}`, what, quick: true, only, edits })),
]
