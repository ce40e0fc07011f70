import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { historyFill } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import { addJob, type Job } from '../../kernel/jobs'
import { calendar } from '../calendar'
import { planNetwork } from '../network/planned'
import { beginDay, endDay, settleDay, spansOf } from './history'
import { billDay } from '../money/books'
import { tellStandIn } from '../medicine/traces'
import { bankJobs } from '../money/withdrawals'
import { newTelling, playSpan } from './span'
import { type Network, standingOf } from './standing'
import { type Past, pastWithin } from './within'

/** `filled` of `of` days are told; of the next `spans` are. `seededAt`: what days are counted back from. */
export type Fill = { of: number; filled: number; spans: number; seededAt: string; machines: number }

export async function readFill({ db }: Pick<Services, 'db'>): Promise<Fill | null> {
  const found = await sql<{ value: Fill }>`select value from setting
    where key = ${historyFill} and merchant_id is null`.execute(db)
  return found.rows[0]?.value ?? null
}

export const isFilling = (fill: Fill | null): fill is Fill => fill !== null && fill.filled < fill.of

/** Books of a day that is still being told are not closed, and the regulator's platform and the bank are stand-ins. */
export const demoJobs = (jobs: readonly Job[]): Job[] =>
  jobs.map((job) => {
    if (job.name === 'medicine.uploadTraces') return { ...job, run: tellStandIn }
    const bankJob = bankJobs[job.name]
    if (bankJob) return { ...job, run: bankJob }
    if (job.name !== 'settlement.closeBooks') return job
    return {
      ...job,
      run: async (services, payload) => {
        if (!isFilling(await readFill(services))) await job.run(services, payload)
      },
    }
  })

/**
 * Tells the older days behind the first page, the newest of them first and each from morning to night, span by span in
 * transactions of their own. What was told stays told: a process that ends goes on where it was.
 */
export function startFilling(services: Services): { stop: () => Promise<void> } {
  let isStopped = false
  const work = async () => {
    let fill = await readFill(services)
    if (!isFilling(fill)) return
    const network = await networkOf(services, fill)
    const days = calendar(new Date(fill.seededAt), fill.of).reverse()
    while (isFilling(fill) && !isStopped) {
      // Today is the first of them.
      const day = days[fill.filled]
      if (!day) return
      const spans = spansOf(network, day, Date.parse(fill.seededAt))
      const telling = newTelling()
      const boot = fill.spans === 0 ? '' : `-${fill.spans}`
      while (fill.spans < spans.length && !isStopped) {
        const span = spans[fill.spans]
        const next: Fill = { ...fill, spans: fill.spans + 1 }
        fill = await tellStep(services, next, async (past) => {
          if (next.spans === 1) await beginDay(past, network, day)
          const sales = span?.sales.filter(({ isSilent }) => !isSilent) ?? []
          if (span) await playSpan(past, { ...span, boot: span.boot + boot, sales }, telling)
        })
      }
      if (isStopped) return
      fill = await tellStep(services, { ...fill, filled: fill.filled + 1, spans: 0 }, async (past) => {
        await endDay(past, network, day, telling)
        await settleDay(past, day)
        await billDay(past, day)
      })
    }
    // It is about weeks, and knew days when the first page was shown.
    if (isFilling(fill)) return
    await addJob(services.db, 'advice.recommendProducts')
    await addJob(services.db, 'advice.recommendPrices')
  }
  const untilTold = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isDeadlock(error)) return services.log.error({ error }, 'the history was not told to its end')
      await untilTold()
    }
  }
  const running = untilTold()
  return {
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

/** A machine of today was in the way: the step that it undid is told again. */
const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01'

/** One step with its mark; half of the time belongs to those who look on. */
async function tellStep(services: Services, next: Fill, tell: (past: Past) => Promise<void>): Promise<Fill> {
  const startedMs = performance.now()
  await services.db.transaction().execute(async (tx) => {
    // The history gives way to who lives today: of two that wait for each other, who looks first ends itself.
    await sql`select set_config('deadlock_timeout', '50ms', true) from pg_roles
      where rolname = current_user and rolsuper`.execute(tx)
    await tell(pastWithin(services, tx))
    await sql`update setting set value = ${JSON.stringify(next)}::jsonb
      where key = ${historyFill} and merchant_id is null`.execute(tx)
  })
  await pause(performance.now() - startedMs)
  return next
}

/** The network as it was seeded; prescriptions and codes were told with the first days. */
async function networkOf({ db, dataDir }: Services, { machines, seededAt }: Fill): Promise<Network> {
  const file = JSON.parse(await readFile(join(dataDir, 'demo/fleet.json'), 'utf8')) as {
    machines: { code: string; cards?: string[] }[]
  }
  const cards = new Map(file.machines.map(({ code, cards: own = [] }) => [code, own]))
  const heldAt = (code: string) => ({ codes: [], cards: cards.get(code) ?? [], prescriptions: [], vouchers: [] })
  return standingOf(db, planNetwork(machines), { heldAt, at: new Date(seededAt) })
}
