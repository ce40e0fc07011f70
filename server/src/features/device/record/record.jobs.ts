import type { AlarmCause } from '@aisle/contract/alarm/states'
import { isCashApart, isCountApart } from '@aisle/contract/device/audit'
import { sql } from 'kysely'
import type { Services, Tx } from '../../../kernel/context'
import type { Job } from '../../../kernel/jobs'
import { clearAlarms, holdAlarms, isMedicineCabinet, raiseAlarms } from '../../alarm/public'
import { findAuditFiles } from './audit.reads'
import { giveUpGaps } from './gap.store'
import { SILENCE_MS } from './temperature.rules'

export const jobs: Job[] = [
  {
    // An hour after a file: by then the machine has told of its sales.
    name: 'device.compareAudits',
    cron: '25 * * * *',
    run: async ({ db, clock }) => compareAudits(db, clock.now()),
  },
  {
    name: 'device.watchRecords',
    cron: '*/2 * * * *',
    run: ({ db, clock }) =>
      db.transaction().execute(async (tx) => {
        const now = clock.now()
        await giveUpGaps(tx, now)
        await hold(tx, 'message_gap', await findGaps(tx, now), now)
        await hold(tx, 'cloned', await findClones(tx, now), now)
        await forgetWrongSecrets(tx, now)
        await hold(tx, 'temperature_gap', await findSilent(tx, now), now)
      }),
  },
]

const HOUR_MS = 3_600_000

/** Files that came between one and two hours ago, each beside orders and stock. */
async function compareAudits(db: Services['db'], now: Date): Promise<void> {
  const from = new Date(now.getTime() - 2 * HOUR_MS)
  const to = new Date(now.getTime() - HOUR_MS)
  const due = await sql<{ machineId: number; merchantId: number }>`
    select distinct machine_id as "machineId", merchant_id as "merchantId" from dex_read
    where read_at between ${new Date(from.getTime() - 24 * HOUR_MS)} and ${to} and received_at > ${from}
      and received_at <= ${to} and fault is null`.execute(db)
  for (const machine of due.rows) {
    const { between } = await findAuditFiles(db, machine.machineId)
    const apart = between?.lines.filter(isCountApart) ?? []
    const alarm = { machineId: machine.machineId, cause: 'dex_differs', at: now } as const
    const facts = { slots: apart.length, slot: apart[0]?.slot ?? '' }
    await db.transaction().execute(async (tx) => {
      if (apart.length > 0) await raiseAlarms(tx, [{ ...alarm, merchantId: machine.merchantId, facts }])
      else if (between) await clearAlarms(tx, [alarm])
      await judgeCash(tx, machine, between, now)
    })
  }
}

/** The cash that the controller took beside what orders say; where it counts none, nothing is known of it. */
async function judgeCash(
  tx: Tx,
  machine: { machineId: number; merchantId: number },
  between: Awaited<ReturnType<typeof findAuditFiles>>['between'],
  at: Date,
): Promise<void> {
  if (!between?.cash) return
  const { cash, cashOrderedFen } = between
  const yuan = (fen: number) => (fen / 100).toFixed(2)
  const facts = { countedYuan: yuan(cash.fen), orderedYuan: yuan(cashOrderedFen) }
  if (isCashApart(between)) await raiseAlarms(tx, [{ ...machine, cause: 'cash_differs', facts, at }])
  else await clearAlarms(tx, [{ machineId: machine.machineId, cause: 'cash_differs', at }])
}

const hold = (tx: Tx, cause: AlarmCause, found: readonly Found[], now: Date): Promise<void> =>
  holdAlarms(
    tx,
    [cause],
    found.map((each) => ({ ...each, cause })),
    now,
  )

type Found = { machineId: number; merchantId: number; facts: Record<string, string | number> }

/** A machine that comes back replays within minutes; what is missing longer is worth a look. */
const GAP_AFTER_MS = 30 * 60_000

async function findGaps(tx: Tx, now: Date): Promise<Found[]> {
  const found = await sql<{ machineId: number; merchantId: number; first: number; missing: number }>`
    select g.machine_id as "machineId", m.merchant_id as "merchantId", min(g.first_seq) as first,
      sum(g.last_seq - g.first_seq + 1)::int as missing
    from message_gap g join machine m on m.id = g.machine_id
    where g.ended_at is null and g.opened_at < ${new Date(now.getTime() - GAP_AFTER_MS)} and m.retired_at is null
    group by g.machine_id, m.merchant_id`.execute(tx)
  return found.rows.map(({ first, missing, ...machine }) => ({ ...machine, facts: { first, missing } }))
}

const QUARREL_MS = 30 * 60_000

/** Each takes the connection from the other: runs that had ended are heard again and again. */
async function findClones(tx: Tx, now: Date): Promise<Found[]> {
  const found = await sql<{ machineId: number; merchantId: number; returns: number }>`
    select q.machine_id as "machineId", m.merchant_id as "merchantId", q.returns from machine_seq q
    join machine m on m.id = q.machine_id
    where q.returns >= 2 and q.returned_at > ${new Date(now.getTime() - QUARREL_MS)}`.execute(tx)
  return found.rows.map(({ returns, ...machine }) => ({ ...machine, facts: { count: returns } }))
}

/** Nobody has tried a wrong secret for an hour. */
async function forgetWrongSecrets(tx: Tx, now: Date): Promise<void> {
  const found = await sql<{ machineId: number }>`select machine_id as "machineId" from alarm
    where cause = 'wrong_secret' and state <> 'closed'
      and seen_at < ${new Date(now.getTime() - 2 * QUARREL_MS)}`.execute(tx)
  await clearAlarms(
    tx,
    found.rows.map(({ machineId }) => ({ machineId, cause: 'wrong_secret', at: now })),
  )
}

/** How long a machine that is no medicine cabinet is asked for the record that it kept. */
const RECORD_EXPECTED_DAYS = 3

/**
 * Machines whose last record is too old, by whether it was in range. A medicine cabinet keeps one for as long as it
 * is in service: however long it has been silent, its goods are judged by nobody. One that has never recorded counts
 * from when it was put up.
 */
async function findSilent(tx: Tx, now: Date): Promise<Found[]> {
  const recent = new Date(now.getTime() - RECORD_EXPECTED_DAYS * 86_400_000)
  const found = await sql<{ machineId: number; merchantId: number; minutes: number }>`
    select m.id as "machineId", m.merchant_id as "merchantId",
      floor(extract(epoch from ${now}::timestamptz - coalesce(last.at, m.deployed_at, m.created_at)) / 60)::int
        as minutes
    from machine m join machine_state s on s.machine_id = m.id
    left join lateral (select d.day from temperature_day d where d.machine_id = m.id order by d.day desc limit 1) d
      on true
    left join lateral (select r.at, r.celsius_tenths from temperature_record r
      where r.machine_id = m.id and r.at between d.day - interval '2 days' and d.day + interval '3 days'
      order by r.at desc limit 1) last on true
    where m.retired_at is null and s.last_seen_at is not null
      and (${isMedicineCabinet} or d.day >= ${recent}::date)
      and ${now}::timestamptz - coalesce(last.at, m.deployed_at, m.created_at) > interval '1 millisecond' * case
        when last.at is null or last.celsius_tenths between coalesce(m.temperature_min_c, -1000) * 10
          and coalesce(m.temperature_max_c, 1000) * 10
        then ${SILENCE_MS.inRange}::int else ${SILENCE_MS.outOfRange}::int end`.execute(tx)
  return found.rows.map(({ minutes, ...machine }) => ({ ...machine, facts: { minutes } }))
}
