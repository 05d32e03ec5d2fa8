// Reads the body of a request or an answer, up to a limit.

/** The body as text; undefined if the body is longer than `most` bytes. */
export async function readCapped(from: Request | Response, most: number): Promise<string | undefined> {
  const reader = from.body?.getReader()
  if (!reader) return ''
  const bodyParts: Uint8Array[] = []
  let bodySize = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bodySize += value.length
    if (bodySize > most) {
      await reader.cancel()
      return undefined
    }
    bodyParts.push(value)
  }
  const bodyBytes = new Uint8Array(bodySize)
  let at = 0
  for (const bodyPart of bodyParts) {
    bodyBytes.set(bodyPart, at)
    at += bodyPart.length
  }
  return new TextDecoder().decode(bodyBytes)
}
