// Makes the BFF's error answers, and the headers that protect answers to token requests.

export function errorResponse(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error },
    { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers } },
  )
}

/** Adds the headers of every answer to a token request. `cors`: the foreign origin that may read the answer. */
export function guarded(response: Response, cors: string | undefined): Response {
  const { headers } = response
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
  headers.set('Vary', 'Origin')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  if (cors !== undefined) {
    headers.set('Access-Control-Allow-Origin', cors)
    headers.set('Access-Control-Allow-Credentials', 'true')
    headers.set('Access-Control-Expose-Headers', 'Retry-After')
  }
  return response
}
