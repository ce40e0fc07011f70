import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { runningIn } from '../../server/src/db/embedded.running'
import { type RunningServer, startSeeded } from './kit/harness'
import { sellingSlot, shopOf, startQuietServer, switchOn } from './kit/machines'
import { counted, settle, tell, type Unacked, verify } from './kit/teller'

/** What is not durable is not acknowledged; what could not be taken is taken when the database is itself again. */
const AWAY_MS = Number(process.env.AWAY_MS ?? 4_000)
/** A folder on a small file system of its own that may be filled to the brim. */
const smallDisk = process.env.SMALL_DISK

const numbers = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`)

async function opened(server: RunningServer) {
  const machine = shopOf(server)
  const device = await switchOn(server, machine)
  const unacked: Unacked = new Map()
  return { before: await counted(server), slot: sellingSlot(machine), device, unacked }
}

const lives = async ({ url }: RunningServer) => (await fetch(`${url}/healthz`)).ok

test('while the database is away nothing is acknowledged, and all of it when it is back', async () => {
  test.setTimeout(180_000 + 2 * AWAY_MS)
  const server = await startQuietServer()
  const { before, slot, device, unacked } = await opened(server)
  tell(device, slot, unacked, numbers('A', 5))
  await settle(device, unacked, 5)
  const { pid } = runningIn(server.place.dataDir)
  const frozen = [
    pid,
    ...execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean),
  ]
  const signal = (name: NodeJS.Signals) => frozen.forEach((each) => process.kill(Number(each), name))
  signal('SIGSTOP')
  try {
    tell(device, slot, unacked, numbers('B', 40))
    await expect(settle(device, unacked, 1, AWAY_MS)).rejects.toThrow()
    expect(await lives(server)).toBe(true)
  } finally {
    signal('SIGCONT')
  }
  await settle(device, unacked, unacked.size)
  await expect.poll(() => counted(server)).toBe(before + 45)
  expect(verify(server)).toBe('the books are true')
  await device.close()
  await server.stop()
})

if (smallDisk) {
  test('a full disk acknowledges nothing that is not durable, and frees itself when there is room', async () => {
    test.setTimeout(300_000)
    await fillDisk(smallDisk)
  })
}

async function fillDisk(disk: string): Promise<void> {
  const server = await startSeeded({ DEMO: '0' }, join(disk, 'data'))
  const { before, slot, device, unacked } = await opened(server)
  const ballast = join(disk, 'ballast')
  fill(ballast)
  let told = 0
  const isRefused = async () => {
    tell(device, slot, unacked, numbers(`C${told}`, 100))
    told += 100
    return settle(device, unacked, unacked.size, 8_000).then(
      () => false,
      () => true,
    )
  }
  // What PostgreSQL has kept for itself lasts a while.
  await expect.poll(isRefused, { timeout: 180_000 }).toBe(true)
  expect(await lives(server)).toBe(true)
  rmSync(ballast)
  await server.ready()
  const again = await switchOn(server, shopOf(server))
  tell(again, slot, unacked, [])
  await settle(again, unacked, unacked.size)
  await expect.poll(() => counted(server)).toBe(before + told)
  expect(verify(server)).toBe('the books are true')
  await again.close()
  await server.stop()
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(64 * 1024, 1)
  try {
    for (;;) writeSync(file, piece)
  } catch {
    // Full: that is what was wanted.
  } finally {
    closeSync(file)
  }
}
