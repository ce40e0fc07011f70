import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMerchant } from '../../testing/builders'
import { openProviders, type Providers } from '../../testing/provider'
import { addUser } from '../../testing/fixtures'
import { openWorld, type World } from '../../testing/world'
import { channelOfProvider } from '../payment/public'
import { decisionJobs } from './decision.jobs'
import { match } from './match.commands'
import { findRuns, lockRun, openRuns } from './run.store'
import { at, DAY, paymentLine, refundLine } from './testing'
import { keepFile, type StatementLine } from './statement.store'

let world: World
let channels: Providers
let providerAccountId: number
let merchantId: number

beforeEach(async () => {
  world = await openWorld(at('09:00'))
  channels = await openProviders(world)
  merchantId = await addMerchant(world.services.db)
  providerAccountId = (await channels.add({ merchantId, provider: 'wechat' })).providerAccountId
  world.setNow(at('11:00', '2026-11-23'))
  await world.services.db.transaction().execute((tx) => openRuns(tx, world.services.clock.now()))
})
afterEach(async () => {
  await channels.standIn.stop()
  await world.close()
})

/** The bill of a day, matched. @returns what differs, as `kind about` */
async function bill(day: string, lines: readonly StatementLine[]): Promise<string[]> {
  const { db, clock } = world.services
  const [run] = await findRuns(db, sql<boolean>`r.day = ${day}::date`)
  await db.transaction().execute(async (tx) => {
    const held = await lockRun(tx, run?.id ?? 0)
    if (!held) throw new Error(`no run of ${day}`)
    const content = Buffer.from(JSON.stringify([day, lines]))
    const source = { runId: held.id, source: 'fetched' as const, by: null, at: clock.now() }
    await keepFile(tx, { kind: 'trade', name: 'bill.csv', content, lines }, source)
    await match(tx, held, clock.now())
  })
  const found = await sql<{ kind: string }>`select d.kind from settlement_difference d
    join settlement_run r on r.id = d.run_id where r.day = ${day}::date order by d.id`.execute(db)
  return found.rows.map(({ kind }) => kind)
}

/** The provider has it, under a number that nothing of ours knows. */
async function payNobody(): Promise<void> {
  const now = world.services.clock.now()
  const channel = await channelOfProvider(world.services, providerAccountId)
  const expiresAt = new Date(now.getTime() + 60_000)
  const nobody = { attemptNo: 'NOBODY00001', amountFen: 300, title: 'Nobody', channelNo: null, paidAt: null }
  const { payUrl } = await channel.offer({ ...nobody, askedAt: now, expiresAt })
  expect(channels.standIn.pay(payUrl ?? '')).toBe(null)
}

/** Money of nobody in the bill, that was decided to go back. @returns the difference */
async function decided(): Promise<number> {
  expect(await bill(DAY, [paymentLine({ attemptNo: 'NOBODY00001', channelNo: '4200077', paidFen: 300 })])).toEqual([
    'only_theirs',
  ])
  const found = await sql<{ id: number }>`update settlement_difference set state = 'decided', decision = 'refund',
    reason = 'nobody knows it', decided_at = ${at('10:00', '2026-11-22')} returning id`.execute(world.services.db)
  return found.rows[0]?.id ?? 0
}

async function payBack(id: number): Promise<string[]> {
  const job = decisionJobs.find(({ name }) => name === 'settlement.refund')
  await job?.run(world.services, { id }).catch(() => undefined)
  const found = await sql<{ reference: string }>`select distinct reference from channel_exchange
    where kind = 'refund'`.execute(world.services.db)
  return found.rows.map(({ reference }) => reference)
}

test('money of nobody goes back under a number that every provider takes, and its bill is known by it', async () => {
  await payNobody()
  const id = await decided()
  const refundNo = `SD${String(id).padStart(10, '0')}`
  expect(await payBack(id)).toEqual([refundNo])
  expect(await payBack(id)).toEqual([refundNo])
  expect(await bill('2026-11-21', [refundLine({ refundNo, amountFen: 300 })])).toEqual([])
})

test('what the channel refuses to pay back is to be decided again, and its day waits for that', async () => {
  const id = await decided()
  const { db } = world.services
  const [before] = await findRuns(db, sql<boolean>`r.day = ${DAY}::date`)
  await sql`update settlement_run set state = 'closing', asked_by = ${(await addUser(db, { merchantId })).id},
    open_count = 0 where id = ${before?.id ?? 0}`.execute(db)
  await payBack(id)
  const found = await sql`select d.state, d.decision, r.state as day, r.open_count as open
    from settlement_difference d join settlement_run r on r.id = d.run_id where d.id = ${id}`.execute(db)
  expect(found.rows).toEqual([{ state: 'open', decision: null, day: 'matched', open: 1 }])
  const told = await sql`select verb from settlement_difference_event where difference_id = ${id} order by id`.execute(
    db,
  )
  expect(told.rows.slice(-2)).toEqual([{ verb: 'channel' }, { verb: 'reopen' }])
  // Asked by a job that runs again, nothing is asked of the channel.
  expect(await payBack(id)).toHaveLength(1)
})

test('what was asked for under a short number, as they were made once, goes on under it', async () => {
  await payNobody()
  const id = await decided()
  await sql`insert into channel_exchange (at, provider_account_id, merchant_id, kind, reference, address,
      request_headers, request_body, status, answer_headers, answer_body, outcome, duration_ms)
    values (${at('10:00', '2026-11-22')}, ${providerAccountId}, null, 'refund', ${`SD${id}`}, 'POST', '{}', '', null,
      '{}', '', 'silent', 1)`.execute(world.services.db)
  expect(await payBack(id)).toEqual([`SD${id}`])
  expect(await bill('2026-11-21', [refundLine({ refundNo: `SD${id}`, amountFen: 300 })])).toEqual([])
  expect(await bill('2026-11-22', [refundLine({ refundNo: `SD${id + 1}`, amountFen: 300 })])).toEqual([
    'refund_only_theirs',
  ])
})
