import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBankStandIn } from '../../../fleet/src/provider/bank'

/** A bank that listens on this machine and knows everybody by one secret. */
export async function openTestBank(secret: string) {
  const bank = openBankStandIn(() => secret)
  const listener = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const said = bank.hear(request.headers, body)
      // Done, and nobody hears of it.
      return said ? response.writeHead(said.status).end(said.body) : request.socket.destroy()
    })
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  return Object.assign(bank, {
    address: `http://127.0.0.1:${port}/bank`,
    close: () => new Promise((done) => listener.close(done)),
  })
}
