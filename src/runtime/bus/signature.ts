// Signs the texts of the bus by a key that only this database's processes know. The signature is the text's last field: readers that do
// not know it ignore it.

import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** `body`: JSON of an object that is not empty. */
  sign(body: string): string
  /** The body of a signed text; undefined: the text is not signed by this key. */
  open(text: string): string | undefined
}

export function createSigner(key: string): Signer {
  const endOf = (body: string) => `,"sig":"${createHmac('sha256', key).update(body).digest('base64url')}"}`
  const { length } = endOf('')
  return {
    sign: (body) => body.slice(0, -1) + endOf(body),
    open(text) {
      const body = `${text.slice(0, -length)}}`
      const [given, right] = [Buffer.from(text.slice(-length)), Buffer.from(endOf(body))]
      return given.length === right.length && timingSafeEqual(given, right) ? body : undefined
    },
  }
}
