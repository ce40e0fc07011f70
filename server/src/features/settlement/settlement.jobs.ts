import { runState } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import { addDays, businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { closeDay, nextDay } from '../ledger/public'
import { fetchBill } from './fetch.commands'
import { match } from './match.commands'
import { closeClean } from './run.commands'
import { findRuns, lockRun, openRuns, type Run } from './run.store'
import { settleRest } from './settle.commands'

export const jobs: Job[] = [
  { name: 'settlement.daily', cron: '*/10 * * * *', run: daily },
  { name: 'settlement.fetchOne', run: (services, { runId }) => fetchOne(services, Number(runId)) },
  { name: 'settlement.settle', cron: '20 17 * * *', run: settleNight },
  { name: 'settlement.closeBooks', cron: '5,25,45 * * * *', run: (services) => closeBooks(services) },
]

/** Bills of a day are there from ten o'clock of the next. */
const READY_HOUR = 10
/** Between two questions about the same bill; the sixth and later come once an hour. */
const ASKED_OFTEN = 6

/** Asks for each bill that should be there, oldest first, and matches again what still differs. */
export async function daily(services: Services): Promise<void> {
  const { db, clock, log } = services
  const now = clock.now()
  await db.transaction().execute((tx) => openRuns(tx, now))
  const { day: today, hour } = businessTime(now, PLATFORM_TIME_ZONE)
  const isReady = (run: Run) => run.day < addDays(today, -1) || hour >= READY_HOUR
  const isHour = now.getUTCMinutes() < 10
  const waiting = await findRuns(db, sql<boolean>`r.state = 'waiting' and (r.tries < ${ASKED_OFTEN} or ${isHour})`)
  for (const run of waiting.filter(isReady)) {
    await fetchBill(services, run).catch((error: unknown) => log.error({ error, runId: run.id }, 'no bill was read'))
  }
  const differing = await findRuns(db, sql<boolean>`r.state = 'matched'`)
  for (const { id } of differing) await rematch(services, id)
}

/** A day that has its bill: what was decided or reported since may have settled it. */
async function rematch({ db, clock }: Services, id: number): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, id)
    if (!run || !runState.is(run.state, 'matched')) return
    if (run.openCount + run.waitingCount > 0) await match(tx, run, now)
    await closeClean(tx, id, now)
  })
}

async function fetchOne(services: Services, runId: number): Promise<void> {
  const [run] = await findRuns(services.db, sql<boolean>`r.id = ${runId} and r.state = 'waiting'`)
  if (run) await fetchBill(services, run)
}

async function settleNight({ db, clock }: Services): Promise<void> {
  await db.transaction().execute((tx) => settleRest(tx, clock.now()))
}

/** Days that are over and whose channels are all closed, in their order; at most a year's at once. */
export async function closeBooks({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const { day: today } = businessTime(now, PLATFORM_TIME_ZONE)
  for (let left = 366; left > 0; left -= 1) {
    const day = await nextDay(db)
    // Yesterday may still have writers whose clock was read before midnight.
    if (day === null || day >= addDays(today, -1)) return
    const open = await sql`select 1 from settlement_run where day = ${day}::date and state <> 'closed'
      limit 1`.execute(db)
    if (open.rows.length > 0) return
    await closeDay(db, day, now)
  }
}
