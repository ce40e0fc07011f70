import { connect, type Socket } from 'node:net'

export type Load = { port: number; paths: readonly string[]; token?: string; connections: number; seconds: number }

/**
 * Asks for the paths in turn over kept-alive connections, one call at a time on each. Bytes on plain sockets: a client
 * library would cost more than the server that it measures.
 * @returns answers a second
 * @throws Error for any answer that is not 200
 */
export async function httpRate(load: Load): Promise<number> {
  const requests = load.paths.map((path) => requestOf(path, load.token))
  const endsMs = performance.now() + load.seconds * 1000
  const startedMs = performance.now()
  let next = 0
  const take = () => {
    next += 1
    return requests[next % requests.length] ?? ''
  }
  const counts = await Promise.all(Array.from({ length: load.connections }, () => askUntil(load.port, endsMs, take)))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedMs) / 1000)
}

const requestOf = (path: string, token: string | undefined): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`

function askUntil(port: number, endsMs: number, take: () => string): Promise<number> {
  return new Promise((done, fail) => {
    const socket: Socket = connect(port, '127.0.0.1')
    let answers = 0
    let held: Buffer = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on('connect', () => socket.write(take()))
    socket.on('error', fail)
    socket.on('data', (part) => {
      held = held.length === 0 ? part : Buffer.concat([held, part])
      if (held.length < lengthOf(held)) return
      if (held.toString('latin1', 9, 12) !== '200') {
        socket.destroy()
        return fail(new Error(held.toString('utf8', 0, 600)))
      }
      answers += 1
      held = Buffer.alloc(0)
      if (performance.now() < endsMs) return void socket.write(take())
      socket.destroy()
      done(answers)
    })
  })
}

/** Of the whole answer, its head included; endless while the head is not here. */
function lengthOf(answer: Buffer): number {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return Number.POSITIVE_INFINITY
  const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, headEnd))?.[1]
  if (!length) throw new Error('an answer without a length')
  return headEnd + 4 + Number(length)
}
