// @vitest-environment node
// The page for testers shows one row for each message on the wire, how long each answer took, and saves the log without tokens.

import { describe, expect, it } from 'vitest'
import { fileOf, masked, rowsOf, type WireLine } from '../../demo/qa/wire-log.ts'

let id = 0
const line = (source: WireLine['source'], at: number, type: string, payload: object = {}): WireLine => ({
  id: id++,
  source,
  at,
  text: JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }),
})
const asked = (at: number) => line('out', at, 'USER_MESSAGE', { text: 'Hello?' })
const chunk = (at: number, message_id: string, text: string, is_complete = false) =>
  line('in', at, 'POLY_AGENT_MESSAGE_CHUNK', { message_id, text, is_complete })

describe('rows', () => {
  it('hold the chunks of one message together, where its first chunk stands', () => {
    const other = line('in', 15, 'HEARTBEAT')
    const rows = rowsOf([chunk(10, 'a', 'One '), other, chunk(20, 'b', 'Else'), chunk(30, 'a', 'two.', true)])
    expect(rows.map(({ type, lines }) => [type, lines.length])).toEqual([
      ['POLY_AGENT_MESSAGE_CHUNK', 2],
      ['HEARTBEAT', 1],
      ['POLY_AGENT_MESSAGE_CHUNK', 1],
    ])
    expect(rows[0]?.summary).toContain('One two.')
  })

  it('show the time from a message to the first and the last word of its answer', () => {
    const rows = rowsOf([asked(100), chunk(350, 'a', 'One '), chunk(900, 'a', 'two.', true)])
    expect(rows[1]?.latency).toEqual({ first: 250, whole: 800 })
  })

  it('show that time for an answer in one piece too', () => {
    const rows = rowsOf([
      asked(100),
      line('in', 350, 'POLY_AGENT_MESSAGE', { message_id: 'a', text: 'One.' }),
    ])
    expect(rows[1]?.latency).toEqual({ first: 250, whole: 250 })
  })

  it('show no time of a greeting, nor of a second message after one question', () => {
    const rows = rowsOf([
      chunk(1, 'greeting', 'Hi', true),
      asked(100),
      chunk(350, 'a', 'One', true),
      chunk(990, 'b', 'Two', true),
    ])
    expect(rows.map(({ latency }) => latency?.first)).toEqual([undefined, undefined, 250, undefined])
  })

  it('show no time of a greeting that comes after the first message, but of the answer behind it', () => {
    const join = line('out', 90, 'REQUEST_POLY_AGENT_JOIN')
    const rows = rowsOf([join, asked(100), chunk(150, 'greeting', 'Hi', true), chunk(350, 'a', 'One', true)])
    expect(rows.map(({ latency }) => latency?.first)).toEqual([undefined, undefined, undefined, 250])
  })

  it('name events of the page by their type, and take text that is no frame as it is', () => {
    const rows = rowsOf([
      { id: 1, source: 'page', at: 1, text: 'foyer-open {}' },
      { id: 2, source: 'note', at: 1, text: 'socket open' },
      { id: 3, source: 'in', at: 1, text: '{' },
      { id: 4, source: 'in', at: 1, text: 'null' },
    ])
    expect(rows.map(({ type }) => type)).toEqual(['foyer-open', 'note', 'in', 'in'])
    expect(rows[1]?.full).toBe('socket open')
  })

  it('open as indented JSON', () => {
    expect(rowsOf([asked(1)])[0]?.full).toBe(
      '{\n  "type": "EVENT_TYPE_USER_MESSAGE",\n  "payload": {\n    "text": "Hello?"\n  }\n}',
    )
  })
})

it.each([
  '/ws?session_id=s&access_token=secret-1&cursor=2',
  '{"access_token":"secret-1"}',
  '{"accessToken": "secret-1"}',
  'Bearer secret-1',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.secret-1',
])('a token in %s is masked', (text) => {
  expect(masked(text)).not.toContain('secret-1')
  expect(masked(text)).toContain('•••')
})

it('a masked frame is still JSON', () => {
  expect(JSON.parse(masked('{"access_token":"a\\"b","text":"c"}'))).toEqual({
    access_token: '•••',
    text: 'c',
  })
})

it('the saved file has the time, source and frame of each line', () => {
  const file = JSON.parse(fileOf([asked(0), { id: 9, source: 'note', at: 1, text: 'socket open' }]))
  expect(file).toEqual([
    {
      time: '1970-01-01T00:00:00.000Z',
      source: 'out',
      frame: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hello?' } },
    },
    { time: '1970-01-01T00:00:00.001Z', source: 'note', text: 'socket open' },
  ])
})
