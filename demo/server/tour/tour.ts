// Gives the tour of Foyer, in which each step shows one feature of the protocol. The tour remembers the current step, so that
// "next" works after a reload or a restart.

import { sayInWords, wordsSaid } from '../../../src/agents/index.ts'
import type { Agent, AgentEvent, Turn } from '../../../src/runtime/index.ts'
import { TOUR_QUEUE } from './person.ts'
import { normal, steps, tourWords } from './words.ts'

type StepName = keyof typeof steps

/** An agent that gives the tour to who asks for it, and leaves all else to `agent`. */
export const withTour = (agent: Agent): Agent => ({
  ...agent,
  async *act(turn) {
    const step = turn.trigger === 'join' ? undefined : findStep({ ...turn, text: wordsSaid(turn) })
    yield* step ? tourStep(step, turn) : agent.act(turn)
  },
})

const STEP_NAMES = Object.keys(steps) as StepName[]

/** The step that the visitor asks for; undefined if the message is a question. */
export function findStep({ text, memory }: Pick<Turn, 'text' | 'memory'>): StepName | undefined {
  const askedStep = normal(text)
  if (askedStep === normal(tourWords.start) || askedStep === 'tour') return STEP_NAMES[0]
  const lastStep = STEP_NAMES.indexOf(memory.tour as StepName)
  if (askedStep === normal(tourWords.next)) return STEP_NAMES[lastStep + 1] ?? STEP_NAMES[0]
  return STEP_NAMES.find((name) => normal(steps[name]) === askedStep)
}

/** The suggestions after a step. */
function onward(name: StepName): { message_text: string }[] {
  const at = STEP_NAMES.indexOf(name)
  const after = [...STEP_NAMES.slice(at + 1), ...STEP_NAMES.slice(0, at)].slice(0, 3)
  return after.map((next) => ({ message_text: steps[next] }))
}

async function* tourStep(name: StepName, turn: Turn): AsyncIterable<AgentEvent> {
  const say = (text: string) => sayInWords(text, turn)
  yield { type: 'thinking' }
  yield { type: 'remember', memory: { tour: name } }
  const suggestions = onward(name)
  switch (name) {
    case 'long':
      yield* say(tourWords.long)
      return yield { type: 'finish', suggestions }
    case 'attachment':
      yield* say(tourWords.attachment)
      return yield {
        type: 'finish',
        suggestions,
        attachments: [
          {
            content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
            content_url: 'https://example.com/opening-hours',
            title: 'Opening hours',
            call_to_action_text: 'Read more',
          },
        ],
      }
    case 'image':
      yield* say(tourWords.image)
      return yield {
        type: 'finish',
        suggestions,
        attachments: [
          {
            content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE',
            content_url: drawing(),
            title: tourWords.imageTitle,
          },
        ],
      }
    case 'call':
      yield* say(tourWords.call)
      return yield {
        type: 'finish',
        suggestions,
        callActions: [{ title: tourWords.callTitle, contact_number: '+15005550006' }],
      }
    case 'language':
      yield { type: 'language', code: 'de' }
      yield* say(tourWords.language)
      return yield {
        type: 'finish',
        suggestions: [{ message_text: steps.languageBack }, ...suggestions.slice(1)],
      }
    case 'languageBack':
      yield { type: 'language', code: 'en' }
      yield* say(tourWords.languageBack)
      return yield { type: 'finish', suggestions }
    case 'thinking':
      await turn.sleep(3_500)
      yield* say(tourWords.thinking)
      return yield { type: 'finish', suggestions }
    case 'error':
      yield* say(tourWords.error)
      throw new Error('the error that the tour shows')
    case 'handoffClient':
      yield* say(tourWords.handoffClient)
      yield { type: 'finish', suggestions }
      return yield { type: 'handoff-client', reason: 'POLICY', queueName: 'branch', route: '/contact' }
    case 'handoff':
      yield* say(tourWords.handoff)
      yield { type: 'finish' }
      return yield { type: 'handoff', queueName: TOUR_QUEUE, reason: 'The tour shows a handoff' }
    case 'end':
      yield* say(tourWords.end)
      return yield { type: 'finish', endConversation: true }
  }
}

/** An inline image, so that showing it contacts no server. */
function drawing(): string {
  const hills = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"><rect width="320" height="180" fill="#dfe7f5"/><circle cx="244" cy="52" r="22" fill="#f3b35c"/><path d="M0 140 70 84l52 40 62-62 76 66 60-34v86H0Z" fill="#5876b8"/><path d="M0 160 92 118l70 34 66-30 92 34v24H0Z" fill="#33558f"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(hills)}`
}
