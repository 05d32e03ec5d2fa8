// Reads the body of a request or an answer, up to a limit.

/** The body as text; undefined if the body is longer than `most` bytes. */
export async function readCapped(from: Request | Response, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bodySize = 0
  for await (const bodyPart of from.body ?? []) {
    bodySize += bodyPart.length
    // Leaving the loop cancels the body.
    if (bodySize > most) return undefined
    text += decoder.decode(bodyPart, { stream: true })
  }
  return text + decoder.decode()
}

/** A JSON object; `{}` if there is no text, undefined if the text is anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
