import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addJob } from '../kernel/jobs'
import { openWorld, type World } from '../testing/world'
import { startWorker } from './worker'

let world: World
beforeAll(async () => {
  world = await openWorld(new Date('2026-11-20T04:00:00Z'))
})
afterAll(() => world.close())

const NAME = 'test.slow'
const holders = async () =>
  (
    await sql<{ by: string }>`select locked_by as by from graphile_worker.jobs
      where task_identifier = ${NAME} and locked_by is not null`.execute(world.services.db)
  ).rows.map(({ by }) => by)

/** A process of its own that holds the job in hand. */
async function otherProcess() {
  const file = fileURLToPath(new URL('./worker.child.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file, world.url, NAME], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the process says nothing')
  await once(child.stdout, 'data')
  return child
}

test('a job of a process killed with -9 is given to another within moments; of one that lives it is not', async () => {
  await addJob(world.services.db, NAME)
  const child = await otherProcess()
  const [holder] = await holders()
  const done: string[] = []
  const run = async () => {
    done.push('again')
  }
  const sweepMs = 300
  const worker = await startWorker(world.services, [{ name: NAME, run }], {
    databaseUrl: world.url,
    isOurs: false,
    sweepMs,
  })
  await new Promise((resolve) => setTimeout(resolve, 10 * sweepMs))
  expect([await holders(), done]).toEqual([[holder], []])
  child.kill('SIGKILL')
  await expect.poll(() => done, { timeout: 20_000 }).toEqual(['again'])
  await expect.poll(holders).toEqual([])
  await worker.stop()
})
