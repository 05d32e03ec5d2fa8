// Asks the visitor what an agent waits for, one question after the other, and answers all of them with the next run.
//
//   run ─▶ interrupts ─▶ question ─▶ choice ─▶ question ─▶ choice ─▶ run that resumes
//                            └─ other words: what is open is cancelled ──────┘

import type { ResumeEntry } from '@ag-ui/core'
import type { AgentEvent, Turn } from '../../runtime/index.ts'
import { AguiError } from './agui-error.ts'

/** `field`: the field of the answer that is true or false; empty where the whole answer is; undefined where more is asked than a yes or a no. */
export type Question = { id: string; text: string; field: string | undefined }

/** `open`: the first one is asked. `cancel`: the words of the choice that denies it. */
export type Pending = {
  readonly open: readonly Question[]
  readonly cancel: string
  readonly answers: readonly ResumeEntry[]
}

const MOST_QUESTIONS = 10
const LONGEST_ID = 200
const LONGEST_TEXT = 2_000
const LONGEST_TITLE = 200

/** The questions that a finished run waits for. Empty: it waits for nothing. */
export function questionsIn(outcome: unknown): Question[] {
  if (typeof outcome !== 'object' || outcome === null || !('type' in outcome)) return []
  if (outcome.type === 'cancelled') throw new AguiError('cut', 'the agent cancelled its run')
  if (outcome.type !== 'interrupt') return []
  const { interrupts } = outcome as { interrupts?: unknown }
  if (!Array.isArray(interrupts) || interrupts.length === 0) throw malformed()
  if (interrupts.length > MOST_QUESTIONS) throw new AguiError('excess', 'it asks too many questions at once')
  const questions = interrupts.map(questionOf)
  if (new Set(questions.map(({ id }) => id)).size < questions.length) throw malformed()
  return questions
}

function questionOf(interrupt: unknown): Question {
  const { id, reason, message, responseSchema } = (interrupt ?? {}) as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID) throw malformed()
  const text = typeof message === 'string' ? message.slice(0, LONGEST_TEXT) : ''
  return { id, text, field: fieldOf(responseSchema, reason) }
}

/** A free-standing confirmation is answered by true or false; an approval, by an object that says so. */
function fieldOf(schema: unknown, reason: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null)
    return reason === 'confirmation' ? '' : reason === 'input_required' ? undefined : 'approved'
  const { type, properties, required } = schema as Readonly<Record<string, unknown>>
  if (type === 'boolean') return ''
  const fields = typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
  const [field, other] = fields.filter(([, each]) => each?.type === 'boolean').map(([name]) => name)
  const needed = Array.isArray(required) ? required : []
  return other === undefined && needed.every((name) => name === field) ? field : undefined
}

/** Nobody is asked: the next run is told that nothing was decided, since a thread with open questions takes no other input. */
export const allCancelled = (questions: readonly Question[]): Pending => ({
  open: [],
  cancel: '',
  answers: questions.map(({ id }) => ({ interruptId: id, status: 'cancelled' })),
})

const malformed = () => new AguiError('malformed', 'what it waits for cannot be read')

/**
 * What is pending after the visitor's words, and whether they were a choice. Other words cancel what is open. A turn that is answered again
 * changes nothing.
 */
export function decide(
  before: Pending,
  { decision, text }: Pick<Turn, 'decision' | 'text'>,
): { pending: Pending; isChoice: boolean } {
  const { open, cancel, answers } = before
  const [asked, ...later] = open
  if (answers.some(({ interruptId, status }) => status === 'resolved' && interruptId === decision?.id))
    return { pending: before, isChoice: true }
  const isConfirmed = decision?.decision === 'confirm'
  if (asked && decision?.id === asked.id && (isConfirmed || isSame(text, cancel))) {
    const payload = asked.field === '' ? isConfirmed : { [asked.field ?? 'approved']: isConfirmed }
    const answer: ResumeEntry = { interruptId: asked.id, status: 'resolved', payload }
    return { pending: { open: later, cancel, answers: [...answers, answer] }, isChoice: true }
  }
  const cancelled = allCancelled(open).answers
  return { pending: { open: [], cancel, answers: [...answers, ...cancelled] }, isChoice: false }
}

const isSame = (text: string, choice: string): boolean =>
  text.normalize().trim().toLowerCase() === choice.normalize().toLowerCase()

/** `said`: the question's text, whose links were judged. */
export function confirmEvent(
  id: string,
  said: string,
  words: { goOn: string; yes: string; no: string },
): Extract<AgentEvent, { type: 'confirm' }> {
  const [first = '', ...rest] = said.trim().split('\n')
  const isTitle = first !== '' && first.length <= LONGEST_TITLE
  return {
    type: 'confirm',
    id,
    title: isTitle ? first : words.goOn,
    summary: isTitle ? rest.join('\n').trim() : said.trim(),
    confirm: words.yes,
    cancel: words.no,
  }
}
