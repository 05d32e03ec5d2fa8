// Checks what a carrier hands over as a message from a phone, so that the carrier's author reads which field is wrong.

import { E164, isListOf, isObject, isText, objectOf, optionOf, optionProblem } from '../../api/index.ts'
import { MAX_MESSAGE_BYTES } from '../../protocol/index.ts'
import type { InboundMessage } from './carrier.ts'

const LONGEST_ID = 200
const MOST_MEDIA = 100

const isMedium = (value: unknown): boolean =>
  isObject(value) && isText(value.content_type) && isText(value.url)
const objectOption = optionOf('an object', isObject)

const INBOUND = objectOf(
  {
    id: optionOf(
      `a text of 1 to ${LONGEST_ID} characters, the same in each attempt`,
      (value) => isText(value) && value.length <= LONGEST_ID && !value.includes('\0'),
    ),
    channel: optionOf("'sms' or 'rcs'", (value) => value === 'sms' || value === 'rcs'),
    from: optionOf(
      'the number of the user in E.164 format, such as +15005550006',
      (value) => isText(value) && E164.test(value),
    ),
    to: optionOf('the number of the project in E.164 format, such as +15005550006', isText),
    text: optionOf(
      `a text of at most ${MAX_MESSAGE_BYTES} characters, which may be empty`,
      (value) => typeof value === 'string' && value.length <= MAX_MESSAGE_BYTES,
    ),
  },
  {
    keyword: optionOf("'STOP', 'START', 'HELP' or undefined", (value) =>
      ['STOP', 'START', 'HELP'].includes(value as string),
    ),
    media: optionOf(
      `a list of at most ${MOST_MEDIA} objects with content_type and url`,
      (value) => isListOf(isMedium)(value) && (value as unknown[]).length <= MOST_MEDIA,
    ),
    location: objectOption,
    button: objectOption,
  },
)

/** Throws a TypeError that names the first wrong field, and repeats nothing of the message. */
export function checkInbound(given: unknown): asserts given is InboundMessage {
  const problem = optionProblem(INBOUND, given, 'The message')
  if (problem) throw new TypeError(`receive of the carrier: ${problem.text}`)
}
