// The desk's two dialogs: the canned replies, and the keys.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CannedReply } from '../../src/runtime/index.ts'
import { words } from '../words.ts'
import type { DeskState } from './state.ts'

type DialogProps = { title: string; onClose(): void; children: ComponentChildren }

function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key arrives, which is the dialog's.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="dialog-title" onClose={onClose}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="plain-button" onClick={() => dialog.current?.close()}>
          {words.desk.close}
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}

export function Keys({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={words.desk.keys} onClose={onClose}>
      <dl class="keys">
        {words.desk.keyList.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

const NONE: CannedReply = { name: '', text: '' }

export function Replies({ state, onClose }: { state: DeskState; onClose(): void }) {
  const [draft, setDraft] = useState(NONE)
  const name = useRef<HTMLInputElement>(null)
  const replies = state.replies.list.value
  const save = async (reply: CannedReply) => {
    if (await state.replies.save({ name: reply.name.trim().replace(/^\//, ''), text: reply.text.trim() }))
      setDraft(NONE)
    name.current?.focus()
  }
  return (
    <Dialog title={words.desk.replies} onClose={onClose}>
      <p class="lead">{words.desk.repliesLead}</p>
      {replies.length === 0 ? (
        <div class="none">
          <p>{words.desk.noReplies}</p>
          <button
            type="button"
            class="plain-button"
            onClick={async () => {
              for (const each of words.desk.exampleReplies) await state.replies.save(each)
              name.current?.focus()
            }}
          >
            {words.desk.addExamples}
          </button>
        </div>
      ) : (
        <ul class="reply-list">
          {replies.map((reply) => (
            <li key={reply.name}>
              <div>
                <b dir="auto">/{reply.name}</b>
                <p dir="auto">{reply.text}</p>
              </div>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  setDraft(reply)
                  name.current?.focus()
                }}
              >
                {words.desk.edit}
                <span class="hidden"> {reply.name}</span>
              </button>
              <button
                type="button"
                class="quiet"
                onClick={async () => {
                  await state.replies.delete(reply.name)
                  name.current?.focus()
                }}
              >
                {words.desk.delete}
                <span class="hidden"> {reply.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="reply-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save(draft)
        }}
      >
        <label>
          <span>{words.desk.replyName}</span>
          <input
            ref={name}
            class="field"
            dir="auto"
            required
            maxLength={40}
            pattern="/?[\p{L}\p{N}_\-]+"
            title={words.desk.replyNameHint}
            autocomplete="off"
            value={draft.name}
            onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
        </label>
        <label>
          <span>{words.desk.replyText}</span>
          <textarea
            class="field"
            dir="auto"
            rows={3}
            required
            maxLength={4_000}
            value={draft.text}
            onInput={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
          />
        </label>
        <button type="submit" class="primary small">
          {words.desk.saveReply}
        </button>
      </form>
    </Dialog>
  )
}
