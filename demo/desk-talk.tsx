import { useEffect, useRef, useState } from 'preact/hooks'
import type { DeskEntry, DeskLine } from '../src/runtime/index.ts'
import { Composer } from './composer.tsx'
import { requestOf, Wait } from './desk-queue.tsx'
import type { DeskState, Standing } from './desk-state.ts'
import { BackIcon } from './icons.tsx'
import { Log } from './log.tsx'
import { words } from './words.ts'

const LONGEST = 16_000
const SILENCE_MS = 300_000

type Props = { state: DeskState; entry: DeskEntry; standing: Standing }

export function Talk({ state, entry, standing }: Props) {
  const lines = state.lines.value
  const title = useRef<HTMLHeadingElement>(null)
  const [transferring, setTransferring] = useState(false)
  // Keyboard users continue from the top of the opened conversation.
  useEffect(() => title.current?.focus(), [])
  return (
    <section class="talk" aria-labelledby="talk-title">
      <header>
        <button
          type="button"
          class="round back"
          aria-label={words.desk.back}
          onClick={() => state.choose(undefined)}
        >
          <BackIcon />
        </button>
        <div class="about">
          <h2 id="talk-title" ref={title} tabIndex={-1} dir="auto">
            {requestOf(entry)}
          </h2>
          <p>
            <span>{words.desk.channels[entry.channel] ?? entry.channel}</span>
            <span>{entry.queue || words.desk.anyQueue}</span>
            {standing === 'waiting' && <Wait since={entry.queuedAt} />}
            {standing === 'mine' && <span>{words.desk.withYou}</span>}
            {standing === 'others' && <span>{words.desk.withOther(entry.agent?.name ?? '')}</span>}
          </p>
        </div>
        {standing === 'mine' && (
          <div class="acts">
            <button
              type="button"
              class="plain-button"
              aria-expanded={transferring}
              onClick={() => setTransferring(!transferring)}
            >
              {words.desk.transfer}
            </button>
            <button
              type="button"
              class="plain-button"
              title={words.desk.leaveHint}
              onClick={() => state.leave(entry.id, false)}
            >
              {words.desk.leave}
            </button>
            <button
              type="button"
              class="plain-button bad"
              title={words.desk.endHint}
              onClick={() => state.leave(entry.id, true)}
            >
              {words.desk.end}
            </button>
          </div>
        )}
      </header>
      {standing === 'mine' && transferring && (
        <Transfer
          queue={entry.queue}
          onCancel={() => setTransferring(false)}
          onTransfer={async (queue) => {
            if (await state.transfer(entry.id, queue)) setTransferring(false)
          }}
        />
      )}
      <Log label={words.desk.log} newest={lines}>
        <div class="lines">
          <PassedOn data={entry.data} />
          {lines === undefined ? (
            <div class="skeleton" role="status" aria-label={words.desk.loadingLines}>
              <i />
              <i />
            </div>
          ) : (
            lines.map((line, index) => <Line key={index} line={line} before={lines[index - 1]} />)
          )}
        </div>
      </Log>
      <footer>
        {!state.connected.value && (
          <p class="notice" role="status">
            {words.live.lost}
          </p>
        )}
        {state.trouble.value && (
          <p class="notice trouble" role="alert">
            {state.trouble.value}
          </p>
        )}
        <Foot state={state} entry={entry} standing={standing} />
      </footer>
    </section>
  )
}

/** The possible actions, which depend on who has the conversation. */
function Foot({ state, entry, standing }: Props) {
  switch (standing) {
    case 'waiting':
      return (
        <div class="next">
          <button type="button" class="primary" onClick={() => state.take(entry.id)}>
            {words.desk.take}
          </button>
          <span>{words.desk.takeHint}</span>
        </div>
      )
    case 'mine':
      return (
        <Composer
          label={words.desk.answer}
          placeholder={words.desk.placeholder}
          send={words.desk.send}
          text={state.drafts.value[entry.id] ?? ''}
          most={LONGEST}
          focus
          onText={(text) => state.draft(entry.id, text)}
          onSend={(text) => void state.answer(entry.id, text)}
        />
      )
    case 'others':
      return (
        <p class="next" role="status">
          {words.desk.withOtherNote(entry.agent?.name ?? '')}
        </p>
      )
    case 'over':
      return <Over state={state} id={entry.id} />
  }
}

function Over({ state, id }: { state: DeskState; id: string }) {
  const close = useRef<HTMLButtonElement>(null)
  // The focused control may have disappeared with the conversation.
  useEffect(() => {
    if (document.activeElement === document.body) close.current?.focus()
  }, [])
  return (
    <div class="next">
      <span role="status">{state.endings.value[id] ?? words.desk.over}</span>
      <button ref={close} type="button" class="plain-button" onClick={() => state.choose(undefined)}>
        {words.desk.close}
      </button>
    </div>
  )
}

type TransferProps = { queue: string; onCancel(): void; onTransfer(queue: string): void }

function Transfer({ queue, onCancel, onTransfer }: TransferProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="transfer"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onTransfer(text.trim())
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label>
        <span>{words.desk.transferTo}</span>
        <input
          ref={field}
          class="field"
          list="queues"
          value={text}
          required
          maxLength={80}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <datalist id="queues">
        {words.desk.queues
          .filter((each) => each !== queue)
          .map((each) => (
            <option key={each} value={each} />
          ))}
      </datalist>
      <button type="submit" class="plain-button">
        {words.desk.transferGo}
      </button>
      <button type="button" class="plain-button" onClick={onCancel}>
        {words.desk.cancel}
      </button>
    </form>
  )
}

function PassedOn({ data }: { data: DeskEntry['data'] }) {
  const fields = Object.entries(data)
  if (fields.length === 0) return null
  return (
    <section class="passed-on" aria-label={words.desk.passedOn}>
      <h3>{words.desk.passedOn}</h3>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{words.desk.fields[name] ?? name.replaceAll('_', ' ')}</dt>
            <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Line({ line, before }: { line: DeskLine; before: DeskLine | undefined }) {
  const at = Date.parse(line.at)
  const silent = !before || at - Date.parse(before.at) >= SILENCE_MS
  const joined = !silent && before?.from === line.from
  return (
    <>
      {silent && (
        <time class="between" dateTime={line.at}>
          {clock(at)}
        </time>
      )}
      <article class={`line ${line.from}${joined ? ' joined' : ''}`} title={clock(at)}>
        <b class={joined ? 'hidden' : 'by'}>
          {words.desk.from[line.from]}
          <span class="hidden">:</span>
        </b>
        <p dir="auto">{line.from === 'agent' ? unmarked(line.text) : line.text}</p>
      </article>
    </>
  )
}

const clock = (at: number): string => new Intl.DateTimeFormat('en', { timeStyle: 'short' }).format(at)

/** Markdown as plain text, which is enough for the desk. */
const unmarked = (text: string): string =>
  text
    .replace(/^#{1,6}\s+|^```.*$/gm, '')
    .replace(/(\*\*|`)(\S.*?)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+)\*(?![\w*])/g, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
