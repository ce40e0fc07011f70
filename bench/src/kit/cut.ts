import { createServer, connect, type Socket } from 'node:net'
import { freePort } from './server'

/** A wire between two programs that can be cut and mended; `hush`ed, neither end is told that nothing arrives. */
export type Wire = { port: number; cut: () => void; hush: () => void; mend: () => void; close: () => void }

export async function openWire(to: number): Promise<Wire> {
  const port = await freePort()
  const open = new Set<Socket>()
  let isCut = false
  let isHushed = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
    if (isHushed) for (const socket of [near, far]) socket.pause()
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.on('data', (piece) => void other.write(piece))
    }
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const drop = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    cut: () => {
      isCut = true
      drop()
    },
    hush: () => {
      isHushed = true
      for (const socket of open) socket.pause()
    },
    mend: () => {
      isCut = false
      isHushed = false
      for (const socket of open) socket.resume()
    },
    close: () => {
      drop()
      server.close()
    },
  }
}
