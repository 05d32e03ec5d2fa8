// A stock server whose carrier hands each text to the telephone company of the test. Its arguments: the company's address, and the
// name that the company knows it by.

/** @type {typeof import('../../src/cli/package.ts')} */
const { startServer } = await import(new URL('../../dist/foyer-server/index.js', import.meta.url).href)

const [company = '', name = ''] = process.argv.slice(2)
/** @type {import('../../src/runtime/index.ts').Carrier} */
const carrier = {
  connect: () => () => {},
  call: async () => ({ status: 'failed', reason: 'This company carries no calls.' }),
  async send({ id }) {
    const { status } = await fetch(company, { method: 'POST', body: id, headers: { 'x-sender': name } })
    if (status !== 202) throw new Error(`the company says ${status}`)
    return { status: 'accepted', channel: 'sms' }
  },
}
const server = await startServer({
  agent: {
    name: 'Silent',
    async *act() {},
  },
  carrier,
})
process.send?.(server.origin)
// A process whose test was killed must not stay.
process.on('disconnect', () => process.exit(1))
