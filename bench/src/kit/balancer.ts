import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './server'

/** What stands before several servers: each new connection goes to the next that is ready. */
export type Balancer = { port: number; close: () => void }

const LOOK_MS = 500
const PATIENCE_MS = 1_000

/** One that isn't ready any more loses its connections, so that who hangs at it does not wait for it. */
export async function openBalancer(servers: readonly number[]): Promise<Balancer> {
  const port = await freePort()
  const ready = new Set<number>()
  const open = new Map<number, Set<Socket>>(servers.map((server) => [server, new Set()]))
  let turn = 0
  const look = async (server: number) => {
    const asked = fetch(`http://127.0.0.1:${server}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const isReady = await asked.then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    )
    if (isReady) return void ready.add(server)
    ready.delete(server)
    for (const socket of open.get(server) ?? []) socket.destroy()
  }
  const timer = setInterval(() => void Promise.all(servers.map(look)), LOOK_MS)
  await Promise.all(servers.map(look))
  const door = createServer((near) => {
    near.on('error', () => undefined)
    const able = servers.filter((server) => ready.has(server))
    const server = able[(turn += 1) % able.length]
    if (server === undefined) return void near.destroy()
    const far = connect(server, '127.0.0.1')
    far.on('error', () => undefined)
    for (const socket of [near, far]) open.get(server)?.add(socket)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.pipe(other)
      socket.on('close', () => {
        open.get(server)?.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((done) => door.listen(port, '127.0.0.1', done))
  const close = () => {
    clearInterval(timer)
    door.close()
    for (const sockets of open.values()) for (const socket of sockets) socket.destroy()
  }
  return { port, close }
}
