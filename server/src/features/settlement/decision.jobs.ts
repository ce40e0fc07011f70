import { runState } from '@aisle/contract/settlement/states'
import { sql } from 'kysely'
import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { takePaymentAnswer } from '../checkout/public'
import { caseRefundNo, channelOfProvider } from '../payment/public'
import { reopenDifference, appendEvent } from './difference.store'
import { match } from './match.commands'
import { lockRun } from './run.store'

export const decisionJobs: Job[] = [
  { name: 'settlement.refund', run: (services, { id }) => payBack(services, Number(id)) },
  { name: 'settlement.take_order', run: (services, { id }) => bookOnOrder(services, Number(id)) },
]

type Stray = {
  id: number
  providerAccountId: number
  attemptNo: string
  channelNo: string
  amountFen: number
  at: Date
  decidedAt: Date
}

/**
 * Money that no order of ours explains goes back to who paid it; what the channel refuses is to be decided again. The
 * number is made from the difference's, so that a repeated job pays once, and the bill that brings the refund is
 * recognised by it.
 */
async function payBack(services: Services, id: number): Promise<void> {
  const { db, clock } = services
  const found = await sql<Stray>`
    select d.id, c.provider_account_id as "providerAccountId", l.attempt_no as "attemptNo", l.channel_no as "channelNo",
      l.amount_fen as "amountFen", l.at, d.decided_at as "decidedAt"
    from settlement_difference d join statement_line l on l.id = d.line_id
    join settlement_channel c on c.id = d.channel_id
    where d.id = ${id} and d.state = 'decided' and d.decision = 'refund' and d.decided_at is not null`.execute(db)
  const [stray] = found.rows
  if (!stray) return
  const { attemptNo, channelNo, amountFen, at } = stray
  const channel = await channelOfProvider(services, stray.providerAccountId)
  const attempt = { attemptNo, channelNo, amountFen, title: '', askedAt: at, expiresAt: at, paidAt: at }
  const ask = { refundNo: await numberOf(services, stray), attempt, amountFen, reason: '', askedAt: stray.decidedAt }
  const answer = await channel.refund(ask)
  const note = [answer.outcome, answer.code].filter(Boolean).join(' ')
  await db.transaction().execute(async (tx) => {
    await appendEvent(tx, id, { verb: 'channel', note, by: null, at: clock.now() })
    if (answer.outcome === 'failed' || answer.outcome === 'needs_handling') await reopenDifference(tx, id, clock.now())
  })
  if (answer.outcome === 'unknown') throw new Error(`the refund of difference ${id} is unknown`)
}

/** What was asked for under a number without zeros, as of old, goes on under it: another would pay again. */
async function numberOf({ db }: Services, { id, providerAccountId }: Stray): Promise<string> {
  const short = `SD${id}`
  const asked = await sql`select 1 from channel_exchange
    where reference = ${short} and provider_account_id = ${providerAccountId} and outcome <> 'refused' limit 1`.execute(
    db,
  )
  return asked.rows.length > 0 ? short : caseRefundNo('SD', id)
}

type Billed = { runId: number; attemptNo: string; channelNo: string; amountFen: number; at: Date }

/**
 * The bill is the channel's own word that an attempt was paid: it becomes what its notification would have become, so
 * that goods, refund or problem follow as for any late payment. Then the day is matched with it.
 */
async function bookOnOrder(services: Services, id: number): Promise<void> {
  const { db, clock } = services
  const found = await sql<Billed>`select d.run_id as "runId", l.attempt_no as "attemptNo", l.channel_no as "channelNo",
      l.amount_fen as "amountFen", l.at
    from settlement_difference d join statement_line l on l.id = d.line_id
    where d.id = ${id} and d.state = 'decided' and d.decision = 'take_order'`.execute(db)
  const [billed] = found.rows
  if (!billed) return
  const { attemptNo, channelNo, amountFen, at, runId } = billed
  const answer = { outcome: 'paid' as const, channelNo, paidFen: amountFen, paidAt: at, payUrl: null, code: 'bill' }
  await takePaymentAnswer(services, attemptNo, answer)
  await db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, runId)
    if (run && runState.is(run.state, 'matched')) await match(tx, run, clock.now())
  })
}
