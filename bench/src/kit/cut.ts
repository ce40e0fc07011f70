import { createServer, connect, type Socket } from 'node:net'
import { freePort } from './server'

/** A wire between browser and server that can be cut and mended. */
export type Wire = { port: number; cut: () => void; mend: () => void; close: () => void }

export async function openWire(to: number): Promise<Wire> {
  const port = await freePort()
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(to, '127.0.0.1')
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
      socket.pipe(other)
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
    mend: () => {
      isCut = false
    },
    close: () => {
      drop()
      server.close()
    },
  }
}
