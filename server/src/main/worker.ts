import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import { waitForDatabase } from '../db/patient'
import { openPool, type Pool } from '../db/pool'
import type { Services } from '../kernel/context'
import type { Job, JobPayload } from '../kernel/jobs'
import { traced } from '../db/trace'
import { keepRunning } from './keepRunning'
import { freeJobsOfTheKilled, keepLife } from './workerLife'

export type Worker = { stop: () => Promise<void> }

type WorkerDatabase = {
  databaseUrl: string
  /** No other process works on it. */
  isOurs: boolean
  /** How often it is looked whether another process was killed over its jobs. */
  sweepMs?: number
}

const SWEEP_MS = 20_000
/** Jobs at a time; each of them may ask the worker's own database for the next, and one connection listens. */
const AT_ONCE = 4
const POOL_SIZE = AT_ONCE + 1

/** Jobs in a small pool of their own, so that a long one takes no connection from a person. */
export async function startWorker(
  services: Services,
  jobs: readonly Job[],
  { databaseUrl, isOurs, sweepMs = SWEEP_MS }: WorkerDatabase,
): Promise<Worker> {
  // Loaded when needed: a process that only answers calls starts without it.
  const { Logger: WorkerLogger, parseCronItems, run } = await import('graphile-worker')
  // Ours rather than the worker's own, which would end the process with the database.
  const pool = openPool(databaseUrl, POOL_SIZE, (err) => services.log.warn({ err }, 'worker lost a connection'))
  const life = keepLife(databaseUrl)
  const events = new EventEmitter() as WorkerEvents
  events.on('worker:create', ({ worker }) => life.begins(worker.workerId))
  events.on('worker:stop', ({ worker }) => life.ends(worker.workerId))
  const sweep = freeJobsOfTheKilled(pool.raw, {
    everyMs: sweepMs,
    onError: (err) => services.log.warn({ err }, 'jobs of killed workers were not looked for'),
  })
  const stopping = new AbortController()
  waitForDatabase(pool.raw, stopping.signal, (err) => services.log.warn({ err }, 'the worker waits for the database'))
  if (isOurs) await freeJobsOfTheDead(pool.raw)
  const start = () =>
    run({
      pgPool: pool.raw,
      events,
      concurrency: AT_ONCE,
      noHandleSignals: true,
      schema: 'graphile_worker',
      logger: new WorkerLogger(() => (level, text) => logged(services.log, level, text)),
      taskList: Object.fromEntries(
        jobs.map((job) => [job.name, (payload: unknown) => runJob(job, services, (payload ?? {}) as JobPayload)]),
      ),
      parsedCronItems: parseCronItems(
        jobs.flatMap(({ name, cron }) =>
          cron ? [{ task: name, match: cron, identifier: name, options: { backfillPeriod: 0 } }] : [],
        ),
      ),
    })
  // It gives up for good when its connections do, and with it all jobs.
  const runner = await keepRunning(start, (err) => services.log.warn({ err }, 'worker ended; starting it again'))
  return {
    stop: async () => {
      stopping.abort()
      sweep.stop()
      await runner.stop()
      await life.stop()
      await pool.close()
    },
  }
}

const runJob = (job: Job, services: Services, payload: JobPayload) =>
  traced(services, { kind: 'work', name: job.name, facts: {} }, async () => job.run(services, payload))

/** Whoever has one in hand now was killed over it; the worker itself would wait four hours before it believes that. */
async function freeJobsOfTheDead(pool: Pool['raw']): Promise<void> {
  await pool.query(`select graphile_worker.force_unlock_workers(
    array(select locked_by from graphile_worker.jobs where locked_by is not null))`)
}

/** A failed job is an error of ours; the rest is the worker's own chatter. */
function logged(log: Logger, level: string, text: string): void {
  if (level === 'error') log.error({ worker: text }, 'worker')
  else if (level === 'warning') log.warn({ worker: text }, 'worker')
  else log.debug({ worker: text }, 'worker')
}
