// Splits what a PostgreSQL server sends into its messages.

/** The type of a message and its length. */
const HEAD = 5

/** Returns a function that takes bytes as they come, and returns the messages that are whole with them. */
export function createMessages(): (data: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    const messages: Buffer[] = []
    while (rest.length >= HEAD) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) break
      messages.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return messages
  }
}
