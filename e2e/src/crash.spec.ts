import { expect, test } from '@playwright/test'
import { runningIn } from '../../server/src/db/embedded.running'
import { type RunningServer, startServer } from './kit/harness'
import { sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'
import { counted, settle, tell, type Unacked, verify } from './kit/teller'

/** kill -9 of the server or of its database at any moment loses no acknowledged sale and doubles none. */
const CRASHES = Number(process.env.CRASHES ?? 10)
const SALES_A_ROUND = 60

const killDatabase = (server: RunningServer) => process.kill(runningIn(server.place.dataDir).pid, 'SIGKILL')

test(`${CRASHES} kills of server or database lose no acknowledged sale and double none`, async () => {
  test.setTimeout(300_000 + CRASHES * 20_000)
  const seed = Date.now() % 100_000
  console.log(`crash seed ${seed}`)
  // Seeded once; after that only this test's machine sells, so that it knows each sale.
  let server = await startQuietServer()
  const before = await counted(server)
  const machine = shopOf(server)
  const slot = sellingSlot(machine)
  const unacked: Unacked = new Map()
  let sent = 0
  let killedMs = 0
  const backMs: number[] = []
  let starting = Promise.resolve(server)
  for (let round = 0; round < CRASHES; round += 1) {
    // As a real one it does not wait for the pages: it is let in as soon as somebody hears it.
    const device = await switchOn(server, machine)
    const orderNos = Array.from({ length: SALES_A_ROUND }, (_, i) => `X${round}-${i}`)
    tell(device, slot, unacked, orderNos)
    sent += SALES_A_ROUND
    await settle(device, unacked, 1)
    if (killedMs > 0) backMs.push(Math.round(performance.now() - killedMs))
    server = await starting
    // A number of acknowledgements, not a time, says when: the rest of the sales is in flight, in a batch, or unread.
    await settle(device, unacked, ((seed * (round + 7)) % SALES_A_ROUND) + 1)
    killedMs = performance.now()
    starting = round % 2 === 0 ? restart(server) : revival(server)
    device.cut()
  }
  server = await starting
  console.log(`acknowledged again within ${Math.max(...backMs)} ms, half of the times within ${middle(backMs)} ms`)
  console.log(`server and database in turn: ${backMs.join(' ')}`)
  const device = await switchOn(server, machine)
  tell(device, slot, unacked, [])
  await settle(device, unacked, unacked.size)
  expect(unacked.size).toBe(0)
  expect(await counted(server)).toBe(before + sent)
  expect(verify(server)).toBe('the books are true')
  await device.close()
  await server.stop()
})

async function restart(server: RunningServer): Promise<RunningServer> {
  await server.crash()
  return startServer({ DEMO: '0' }, server.place)
}

async function revival(server: RunningServer): Promise<RunningServer> {
  killDatabase(server)
  await server.ready()
  return server
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]
