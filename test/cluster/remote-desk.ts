// The desk at a process of a cluster, for its parent: questions and answers go over the channel between the two.

import type { ChildProcess } from 'node:child_process'
import { type Desk, DeskError } from '../../src/runtime/index.ts'

const VERBS = ['beat', 'entries', 'take', 'answer', 'leave'] as const
type Verb = (typeof VERBS)[number]
export type RemoteDesk = Pick<Desk, Verb>

type Question = { question: number; verb: Verb; args: unknown[] }
type Answer = { question: number; result?: unknown; error?: { code?: DeskError['code']; message: string } }
const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && 'question' in message

/** The process died before it answered: nobody knows whether it did what it was asked. */
export class DiedError extends Error {
  override name = 'DiedError'
}

/** In the process: answers what its parent asks. */
export function answerDesk(desk: Desk): void {
  async function answer({ question, verb, args }: Question): Promise<Answer> {
    const act = desk[verb] as (...args: unknown[]) => Promise<unknown>
    return act(...args).then(
      (result) => ({ question, result }),
      (error: Error) => ({
        question,
        error: { ...(error instanceof DeskError && { code: error.code }), message: error.message },
      }),
    )
  }
  process.on('message', async (question: Question) => void process.send?.(await answer(question)))
}

/** In the parent. Each call rejects with a DiedError if the process ends before it answers. */
export function openDesk(child: ChildProcess): RemoteDesk {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let questions = 0
  let hasDied = false
  child.on('message', (message) => {
    if (!isAnswer(message)) return
    const asked = waiting.get(message.question)
    waiting.delete(message.question)
    if (!message.error) return asked?.resolve(message.result)
    const { code, message: text } = message.error
    asked?.reject(code ? new DeskError(code, text) : new Error(text))
  })
  child.once('exit', () => {
    hasDied = true
    for (const { reject } of waiting.values()) reject(new DiedError('the process died'))
    waiting.clear()
  })
  const ask = (verb: Verb, args: unknown[]) =>
    new Promise((resolve, reject) => {
      if (hasDied) return reject(new DiedError('the process is dead'))
      const question = ++questions
      waiting.set(question, { resolve, reject })
      // What a process gets that has just died, the exit rejects.
      child.send({ question, verb, args } satisfies Question, () => {})
    })
  const verbs = VERBS.map((verb) => [verb, (...args: unknown[]) => ask(verb, args)])
  return Object.fromEntries(verbs) as RemoteDesk
}
