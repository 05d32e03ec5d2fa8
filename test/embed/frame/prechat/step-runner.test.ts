// The steps before a chat, run round after round, without a panel.

import { beforeEach, expect, it } from 'vitest'
import type { BeginningAct } from '../../../../src/chat/index.ts'
import { createStepRunner, type StepRunnerOptions } from '../../../../src/embed/frame/prechat/step-runner.ts'

/** What was done to the parts of the panel, in order. */
let done: string[]
let consents: boolean
let runner: ReturnType<typeof createStepRunner>
const SEND: BeginningAct = { type: 'send', text: 'hi' }
const note =
  (what: string, answer?: unknown) =>
  (...given: unknown[]) => {
    done.push([what, ...given.filter((each) => typeof each === 'string')].join(' '))
    return answer
  }
beforeEach(() => {
  done = []
  consents = true
  const chat = { carriesOn: () => false, restart: note('restart'), end: note('end') }
  runner = createStepRunner({
    consent: { holds: () => consents },
    slot: { fill: () => (consents ? chat : undefined), isLeaving: () => false },
    site: {
      isClosed: () => false,
      hasHome: () => false,
      hasSteps: () => true,
      steps: () => ({ form: ['name'] }),
    },
    stage: { showStep: note('step'), showChat: note('chat') },
    pending: {
      isEmpty: () => true,
      add: note('wait'),
      retry: note('wait again'),
      sendBy: () => done.push(`may send: ${runner.mayBegin(SEND)}`),
      writeTo: note('draft'),
    },
    filled: { set: note('fill') },
  } as unknown as StepRunnerOptions)
})
/** What an event leads to. */
const after = (...[event]: Parameters<typeof runner.happen>): string[] => {
  done = []
  runner.happen(event)
  return done
}
const began = ['fill ', 'chat', 'may send: true', 'draft']
const beganAnew = ['fill ', 'restart', 'chat', 'may send: true', 'draft']

it('each round has its steps, and each but the first ends the chat before and begins another one', () => {
  expect(after('begun')).toEqual(['step form'])
  expect(after('passed')).toEqual(began)
  for (const [act, ...waits] of [
    [{ type: 'typed' }],
    [SEND, 'wait hi'],
    [{ type: 'retry', id: 'm' }, 'wait again m'],
    [{ type: 'restart' }],
  ] satisfies [BeginningAct, ...string[]][]) {
    done = []
    expect(runner.mayBegin(act)).toBe(false)
    // Who only types is not sent away from the field.
    if (act.type === 'typed') {
      expect(done).toEqual([])
      continue
    }
    expect(done).toEqual([...waits, 'end', 'step form'])
    expect(after('passed')).toEqual(beganAnew)
  }
})

it('a chat whose steps were left for the question of consent is the first one again', () => {
  for (const event of ['begun', 'passed', 'renewed'] as const) runner.happen(event)
  consents = false
  expect(after('refused')).toEqual(['step consent'])
  consents = true
  expect(after('agreed')).toEqual(['step form'])
  expect(after('passed')).toEqual(began)
})

it('nothing happens once the panel is gone', () => {
  runner.happen('begun')
  runner.stop()
  expect(after('passed')).toEqual([])
})
