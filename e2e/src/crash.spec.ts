import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Envelope } from '@aisle/contract/device/messages'
import { upTopic } from '@aisle/contract/device/topics'
import type { Device } from '../../fleet/src/client'
import { runningIn } from '../../server/src/db/embedded.running'
import { type RunningServer, startServer } from './harness'
import { cashSale, machinesOf, sellingSlot, startQuietServer, switchOn } from './machines'

/** kill -9 of the server or of its database at any moment loses no acknowledged sale and doubles none. */
const CRASHES = 10
const SALES_A_ROUND = 60

const killDatabase = (server: RunningServer) => process.kill(runningIn(server.place.dataDir).pid, 'SIGKILL')

function verify(server: RunningServer): string {
  const checked = spawnSync('npm', ['run', '--silent', 'verify'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, DATA_DIR: server.place.dataDir },
    encoding: 'utf8',
  })
  return checked.stdout.trim()
}

test('ten kills of server or database, at random moments, lose no acknowledged sale and double none', async () => {
  test.setTimeout(300_000)
  const seed = Date.now() % 100_000
  console.log(`crash seed ${seed}`)
  // Seeded once; after that only this test's machine sells, so that it knows each sale.
  let server = await startQuietServer(6)
  const before = await counted(server)
  const [machine] = machinesOf(server)
  if (!machine) throw new Error('the demo network has no machine')
  const slot = sellingSlot(machine)
  const unacked = new Map<string, Envelope>()
  let sent = 0
  for (let round = 0; round < CRASHES; round += 1) {
    const device = await switchOn(server, machine)
    for (const message of unacked.values()) say(device, message)
    for (let i = 0; i < SALES_A_ROUND; i += 1) {
      const message = device.compose('sale', cashSale(slot, `X${round}-${i}`))
      unacked.set(message.msgId, message)
      say(device, message)
      sent += 1
    }
    // A number of acknowledgements, not a time, says when: the rest of the sales is in flight, in a batch, or unread.
    await settle(device, unacked, ((seed * (round + 7)) % SALES_A_ROUND) + 1)
    if (round % 2 === 0) {
      await server.crash()
      server = await startServer({ DEMO: '0' }, server.place)
    } else {
      killDatabase(server)
      await server.ready()
    }
    device.cut()
  }
  const device = await switchOn(server, machine)
  for (const message of unacked.values()) say(device, message)
  await settle(device, unacked, unacked.size)
  expect(unacked.size).toBe(0)
  expect(await counted(server)).toBe(before + sent)
  expect(verify(server)).toBe('the books are true')
  await device.close()
  await server.stop()
})

/** Into a connection that may break: what is not acknowledged is said again after the next one. */
const say = (device: Device, message: Envelope) =>
  void device.publish(upTopic(device.code, 'sale'), JSON.stringify(message)).catch(() => undefined)

/** Takes acknowledgements until `count` messages are no longer waiting for theirs. */
async function settle(device: Device, unacked: Map<string, Envelope>, count: number): Promise<void> {
  const wanted = [...unacked.keys()].slice(0, count)
  for (const msgId of wanted) {
    const ack = await device.acked(msgId, 30_000)
    expect(['processed', 'duplicate']).toContain(ack.state)
    unacked.delete(msgId)
  }
}

/** All sales ever, as the platform's open wallboard counts them. */
async function counted(server: RunningServer): Promise<number> {
  const answer = await fetch(`${server.url}/api/wallboard`)
  const { data } = await answer.json()
  return data.figures.allTransactionsNumberSum
}
