import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * Many wallboards in this process: plain sockets that count frames, since a library would be busier than the
 * server.
 */
export type Boards = {
  /** Seconds from the first to the last of so many frames over all boards. */
  seconds: (frames: number, start: () => void) => Promise<number>
  close: () => void
}

const AT_ONCE = 50

export async function openBoards(port: number, count: number, pathOf: (n: number) => string): Promise<Boards> {
  let hear: () => void = () => undefined
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, i) =>
      openBoard(port, pathOf(sockets.length + i), () => hear()),
    )
    sockets.push(...(await Promise.all(next)))
  }
  const seconds = (frames: number, start: () => void) =>
    new Promise<number>((done) => {
      let [heard, firstMs] = [0, 0]
      hear = () => {
        heard += 1
        if (heard === 1) firstMs = performance.now()
        if (heard === frames) done((performance.now() - firstMs) / 1000)
      }
      start()
    })
  return { seconds, close: () => sockets.forEach((socket) => socket.destroy()) }
}

/** Open once the server's greeting, its first frame, is here. */
function openBoard(port: number, path: string, hear: () => void): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1')
    const key = randomBytes(16).toString('base64')
    const count = frameCounter()
    let isOpen = false
    socket.once('error', fail)
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
    )
    socket.on('data', (part) => {
      let rest = part
      if (!isOpen) {
        const end = part.indexOf('\r\n\r\n')
        if (end < 0 || !part.toString('latin1', 0, end).includes(' 101 ')) return fail(new Error(part.toString()))
        isOpen = true
        rest = part.subarray(end + 4)
      }
      for (let left = count(rest); left > 0; left -= 1) hear()
      done(socket)
    })
  })
}

/** Counts the server's frames as they complete: two bytes of head, two or eight more where the length needs them. */
function frameCounter(): (part: Buffer) => number {
  let head = Buffer.alloc(0)
  let bodyLeft = 0
  let isPush = false
  return (part) => {
    let complete = 0
    let at = 0
    while (at < part.length) {
      if (bodyLeft > 0) {
        const taken = Math.min(bodyLeft, part.length - at)
        bodyLeft -= taken
        at += taken
        if (bodyLeft === 0 && isPush) complete += 1
        continue
      }
      head = Buffer.concat([head, part.subarray(at, at + 1)])
      at += 1
      const short = (head[1] ?? 0) & 127
      const size = head.length < 2 ? 2 : short < 126 ? 2 : short === 126 ? 4 : 10
      if (head.length < size) continue
      bodyLeft = short < 126 ? short : short === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2))
      // The greeting, and what is said every few seconds, are of a few letters.
      isPush = short >= 126
      head = Buffer.alloc(0)
    }
    return complete
  }
}
