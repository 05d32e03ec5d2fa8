import { useEffect, useRef } from 'preact/hooks'
import type { DeskEntry } from '../../src/runtime/index.ts'
import { BackIcon } from '../icons.tsx'
import { Log } from '../log.tsx'
import { words } from '../words.ts'
import { About, PassedOn } from './about.tsx'
import { ActForm, Acts } from './acts.tsx'
import { since } from './clock.ts'
import { DeskComposer } from './composer.tsx'
import { Lines } from './lines.tsx'
import { backToQueue, Dot, questionOf, Wait } from './queue.tsx'
import type { DeskState, Standing } from './state.ts'

type Props = { state: DeskState; entry: DeskEntry; standing: Standing; onReplies(): void }

export function Talk({ state, entry, standing, onReplies }: Props) {
  const lines = state.lines.value
  const typing = state.typingVisitors.value.includes(entry.id)
  const title = useRef<HTMLHeadingElement>(null)
  // Keyboard users continue from the top of the opened conversation, or in the composer.
  useEffect(() => {
    if (standing !== 'mine') title.current?.focus()
  }, [])
  // The focused control may have disappeared: the conversation was passed on, or somebody else took it.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus()
  }, [standing])
  return (
    <>
      <section class="talk" aria-labelledby="talk-title">
        <header>
          <button
            type="button"
            class="round back"
            aria-label={words.desk.back}
            onClick={() => backToQueue(state)}
          >
            <BackIcon />
          </button>
          <div class="about">
            <h2 id="talk-title" ref={title} tabIndex={-1} dir="auto">
              {questionOf(entry)}
            </h2>
            <p class="facts">
              {standing !== 'over' && (
                <span class="there">
                  <Dot entry={entry} />
                  <span aria-hidden="true">
                    {entry.presence ? words.desk.presence[entry.presence] : words.desk.presence.phone}
                  </span>
                </span>
              )}
              <span dir="auto">{entry.queue || words.desk.anyQueue}</span>
              {standing === 'waiting' && <Wait since={entry.queuedAt} />}
              {standing === 'mine' && <span>{withYouFor(entry)}</span>}
              {standing === 'others' && (
                <span dir="auto">{words.desk.withOther(entry.agent?.name ?? '')}</span>
              )}
            </p>
          </div>
          {standing === 'mine' && <Acts state={state} />}
        </header>
        {standing === 'mine' && <ActForm key={state.act.value} state={state} entry={entry} />}
        <Log label={words.desk.log} newest={lines}>
          <div class="lines">
            <PassedOn data={entry.data} />
            {lines === undefined ? (
              <div class="skeleton" role="status" aria-label={words.desk.loadingLines}>
                <i />
                <i />
              </div>
            ) : (
              <Lines lines={lines} />
            )}
            {typing && standing !== 'over' && (
              <p class="typing" role="status">
                <i />
                <i />
                <i />
                <span>{words.desk.visitorTypes}</span>
              </p>
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
          {standing !== 'over' && entry.presence === 'gone' && (
            <p class="notice" role="status">
              {words.desk.goneNotice}
            </p>
          )}
          <Foot state={state} entry={entry} standing={standing} onReplies={onReplies} />
        </footer>
      </section>
      <About entry={entry} lines={lines} isOver={standing === 'over'} />
    </>
  )
}

const withYouFor = ({ takenAt, queuedAt }: DeskEntry): string =>
  words.desk.withYouFor(since(takenAt ?? queuedAt).text)

/** The possible actions, which depend on who has the conversation. */
function Foot({ state, entry, standing, onReplies }: Props) {
  const composer = (canAnswer: boolean) => (
    <DeskComposer key={entry.id} state={state} id={entry.id} canAnswer={canAnswer} onReplies={onReplies} />
  )
  switch (standing) {
    case 'waiting':
      return (
        <>
          <div class="next">
            <button type="button" class="primary" onClick={() => state.take(entry.id)}>
              {words.desk.take}
            </button>
            <span>{words.desk.takeHint}</span>
          </div>
          {composer(false)}
        </>
      )
    case 'mine':
      return composer(true)
    case 'others':
      return (
        <>
          <p class="next" role="status">
            {words.desk.withOtherNote(entry.agent?.name ?? '')}
          </p>
          {composer(false)}
        </>
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
      <button ref={close} type="button" class="plain-button" onClick={() => backToQueue(state)}>
        {words.desk.close}
      </button>
    </div>
  )
}
