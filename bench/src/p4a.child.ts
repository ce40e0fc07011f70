import type { SaleNotice } from '../../server/src/kernel/announce'
import { announce } from '../../server/src/kernel/announce'
import { WebSocketServer } from 'ws'
import { openPool } from '../../server/src/db/pool'
import { startBoardPush } from '../../server/src/features/wallboard/board.push'
import { routes } from '../../server/src/main/features'
import { serveSurface } from '../../server/src/main/serve'
import { createApp } from '../../server/src/transport/http/app'
import { createMetrics } from '../../server/src/transport/http/health'
import { startBus } from '../../server/src/transport/live/bus'
import { servicesOn } from './kit/sales'

/** One side of P4a, named by its first argument; the second is where its database is. */
const [side = '', url = ''] = process.argv.slice(2)

export type Asked = { boards: true } | { bytes: true } | { notices: SaleNotice[]; texts: string[] }
type Side = { port: number; boards: () => number; push: (asked: { notices: SaleNotice[]; texts: string[] }) => void }

/** The server's own sockets and push; it hears of the sales from the database, as it always does. */
async function ours(): Promise<Side> {
  const pool = openPool(url, 4, () => undefined)
  const services = servicesOn(pool)
  const bus = await startBus(url, services.log)
  const app = createApp(services.log)
  const push = startBoardPush(services, bus)
  const metrics = createMetrics(pool.raw)
  const readSession = () => Promise.reject(new Error('nobody signs in here'))
  const read = { readSession, readKey: readSession }
  await serveSurface(app, { services, bus, ...read, metrics, routes, sockets: [push], webDir: '/nowhere' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: portOf(app.server.address()),
    boards: push.boards,
    push: ({ notices }) => void announce(pool.db, { topic: 'sales', machineIds: [], merchantIds: [], newest: notices }),
  }
}

/** As the documentation of `ws` sends to everybody. */
async function loop(): Promise<Side> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (socket) => socket.send('connected'))
  await new Promise((done) => server.once('listening', done))
  const push = ({ texts }: { texts: string[] }) => {
    for (const text of texts) {
      for (const client of server.clients) if (client.readyState === client.OPEN) client.send(text)
    }
  }
  return { port: portOf(server.address()), boards: () => server.clients.size, push }
}

const portOf = (address: { port: number } | string | null): number =>
  typeof address === 'object' ? (address?.port ?? 0) : 0

const running = side === 'ours' ? await ours() : await loop()
process.on('message', (asked: Asked) => {
  if ('texts' in asked) running.push(asked)
  if ('boards' in asked) process.send?.(running.boards())
  if (!('bytes' in asked)) return
  globalThis.gc?.()
  process.send?.(process.memoryUsage.rss())
})
process.send?.(running.port)
