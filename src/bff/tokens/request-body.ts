// Reads the body of a token request, also where a body parser of the server around the BFF has read it before.

import { readCapped } from '../../api/index.ts'

/** The body has been read, and nobody says what was in it. The message is for the log. */
export class BodyGone extends Error {
  constructor() {
    super(
      'something has read the body of the request before the BFF. Put the BFF before body parsers such as express.json(), or hand it what they make: bff.fetch(request, { address, body })',
    )
  }
}

/**
 * The body as text; undefined if it is longer than `most` bytes. `parsed`: what a body parser has made of it, if one ran. Throws BodyGone
 * where the request came with a body that is not there any more: an empty one would read as that of a new visitor.
 */
export async function readBody(request: Request, parsed: unknown, most: number): Promise<string | undefined> {
  const text = request.bodyUsed ? '' : await readCapped(request, most)
  if (text !== '' || !cameWithBody(request.headers)) return text
  const parsedText = textOf(parsed)
  if (parsedText === undefined) throw new BodyGone()
  return parsedText.length > most ? undefined : parsedText
}

const cameWithBody = (headers: Headers): boolean =>
  Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')

function textOf(parsed: unknown): string | undefined {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return new TextDecoder().decode(parsed)
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed) : undefined
}
