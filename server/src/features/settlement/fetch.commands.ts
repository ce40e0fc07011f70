import { runState } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import type { Reader, Services, Tx } from '../../kernel/context'
import { type Bill, channelOfProvider } from '../payment/public'
import { match } from './match.commands'
import { closeClean } from './run.commands'
import { accountsOf, dayEnd, dayStart, lockRun, type Run } from './run.store'
import { statementLines } from './statement.rules'
import { keepFile, type StatementFile } from './statement.store'

/** The channel is asked outside of any transaction; what it says is taken in by one. */
export async function fetchBill(services: Services, run: Run): Promise<void> {
  const { db, clock } = services
  const channel = await channelOfProvider(services, run.providerAccountId)
  const bill = await channel.bill(run.day)
  const now = clock.now()
  await db.transaction().execute((tx) => takeBill(tx, run.id, bill, now))
  await db.transaction().execute((tx) => closeClean(tx, run.id, now))
}

/** What a channel says of one of its days, as far as its run still waits for it. */
export async function takeBill(tx: Tx, id: number, bill: Bill, now: Date): Promise<void> {
  const held = await lockRun(tx, id)
  if (!held || !runState.is(held.state, 'waiting')) return
  const isThere = bill.outcome === 'ready' || (bill.outcome === 'notReady' && (await isEmpty(tx, held, now)))
  await sql`update settlement_run set tries = tries + 1, last_code = ${bill.outcome === 'ready' ? null : bill.code},
    fetched_at = case when ${isThere} then ${now}::timestamptz end where id = ${id}`.execute(tx)
  if (!isThere) return
  if (bill.outcome === 'ready') for (const file of filesOf(bill)) await keepFile(tx, file, source(held, now))
  await match(tx, held, now)
}

const source = (run: Run, at: Date) => ({ runId: run.id, source: 'fetched' as const, by: null, at })

/** The files as they came, each with its lines. */
function filesOf(bill: Extract<Bill, { outcome: 'ready' }>): StatementFile[] {
  return bill.files.flatMap(({ kind, name, content }): StatementFile[] => {
    const { lines, funds } = bill
    if (kind === 'bill') return [{ kind, name, content, lines: statementLines({ lines, funds }) }]
    if (kind === 'trade') return [{ kind, name, content, lines: statementLines({ lines }) }]
    return [{ kind: 'fund', name, content, lines: statementLines({ funds }) }]
  })
}

/** Channels make no bill of a day on which nothing moved; two hours after all bills are there, it means that. */
async function isEmpty(db: Reader, run: Run, now: Date): Promise<boolean> {
  const found = await sql<{ isEmpty: boolean }>`select not exists (
      select 1 from payment_attempt a where a.account_id in (${accountsOf(run)}) and a.state = 'paid'
        and a.paid_at >= ${dayStart(run)} and a.paid_at < ${dayEnd(run)})
    and not exists (select 1 from refund f join payment_attempt a on a.id = f.attempt_id
      where a.account_id in (${accountsOf(run)}) and f.state = 'refunded'
        and f.ended_at >= ${dayStart(run)} and f.ended_at < ${dayEnd(run)})
    and ${now}::timestamptz > ${dayEnd(run)} + interval '12 hours' as "isEmpty"`.execute(db)
  return found.rows[0]?.isEmpty ?? false
}
