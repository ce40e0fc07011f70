import { sql } from 'kysely'
import { ingest } from '../../../server/src/features/device/link/ingest'
import type { Cluster } from './database'
import { makeNetwork } from './network'
import { makeSales, network, servicesOn } from './sales'
import { startApi } from './server'

export type SoldBoard = {
  address: string
  port: number
  /** How many were sold so far. */
  sold: () => number
  /** One sale through all that a machine's sale goes through, at a slot of its own. */
  sell: () => Promise<void>
  close: () => Promise<void>
}

/** The built server with a wallboard that is open to all, on a network whose slots never run out. */
export async function openSoldBoard(cluster: Cluster, name: string): Promise<SoldBoard> {
  const database = await cluster.fresh(name)
  const { db } = database.pool
  const slots = await makeNetwork(db, network)
  await sql`insert into setting (key, value) values ('wallboard.open', 'true'::jsonb)`.execute(db)
  const services = servicesOn(database.pool)
  const server = await startApi(database)
  let sold = 0
  const sell = async () => {
    sold += 1
    // Another machine each time: points spread over the map.
    const slot = slots[(sold * 7_919) % slots.length]
    if (slot) await ingest(services, makeSales([slot], 1))
  }
  const close = async () => {
    await server.stop()
    await database.close()
  }
  return { address: `http://127.0.0.1:${server.port}`, port: server.port, sold: () => sold, sell, close }
}

/** Sells again and again until told to stop; a sale that takes longer than the interval is waited for. */
export function sellEvery(board: SoldBoard, everyMs: number): () => Promise<void> {
  let isStopped = false
  const run = async () => {
    let nextMs = performance.now()
    while (!isStopped) {
      await board.sell()
      nextMs = Math.max(nextMs + everyMs, performance.now() - everyMs)
      await new Promise((done) => setTimeout(done, Math.max(0, nextMs - performance.now())))
    }
  }
  const running = run()
  return () => {
    isStopped = true
    return running
  }
}
