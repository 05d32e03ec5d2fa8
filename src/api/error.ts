// Describes what the chat family answers with an error.

import * as v from 'valibot'

/** The error body of the chat family. */
export const ChatError = v.object({ error: v.string() })
export type ChatError = v.InferOutput<typeof ChatError>
