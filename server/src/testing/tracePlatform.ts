import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openTraces, type TraceAnswer, type TraceItem } from '../../../fleet/src/provider/traces'

/** The regulator's platform, which knows everybody by one secret; it may take what it is told and say nothing. */
export async function openTracePlatform(secret: string) {
  const traces = openTraces(() => secret)
  const taken: TraceItem[] = []
  const asked: TraceItem[][] = []
  const platform = Object.assign(traces, { isSilent: false, taken, asked })
  const keep = (body: string, said: string) => {
    const { items } = JSON.parse(body) as { items: TraceItem[] }
    asked.push(items)
    const accepted = (JSON.parse(said) as { items: TraceAnswer[] }).items.filter(
      ({ outcome }) => outcome === 'accepted',
    )
    const isNew = ({ id }: TraceItem) =>
      accepted.some((each) => each.id === id) && !taken.some((each) => each.id === id)
    taken.push(...items.filter(isNew))
  }
  const listener = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const said = traces.hear(request.headers, body)
      if (said === null) return response.writeHead(401).end()
      keep(body, said)
      // Taken, and nobody hears of it.
      return platform.isSilent ? request.socket.destroy() : response.writeHead(200).end(said)
    })
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as AddressInfo
  return Object.assign(platform, {
    address: `http://127.0.0.1:${port}/traces`,
    close: () => new Promise((done) => listener.close(done)),
  })
}
