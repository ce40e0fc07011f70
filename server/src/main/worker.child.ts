import { pino } from 'pino'
import { openPool } from '../db/pool'
import { filesIn } from '../kernel/files/store'
import { startWorker } from './worker'

/** A process with a worker that takes a job, says so, and is never through with it: for tests that kill it. */
const [databaseUrl = '', name = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, 1, () => undefined)
const key = Buffer.alloc(32)
const services = {
  db: pool.db,
  clock: { now: () => new Date() },
  log: pino({ level: 'silent' }),
  keys: { id: 'test', auth: key, salt: key, fake: key, device: key },
  dataDir: '',
  files: filesIn(''),
}
const hang = async () => {
  process.stdout.write('taken\n')
  await new Promise(() => undefined)
}
await startWorker(services, [{ name, run: hang }], { databaseUrl, isOurs: false })
