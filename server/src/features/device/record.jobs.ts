import type { AlarmCause } from '@aisle/contract/alarm/states'
import { isCountApart } from '@aisle/contract/device/audit'
import { sql } from 'kysely'
import type { Services, Tx } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { clearAlarms, holdAlarms, raiseAlarms } from '../alarm/public'
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
    })
  }
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

/** Machines that keep a record and whose last one is too old, by whether it was in range. */
async function findSilent(tx: Tx, now: Date): Promise<Found[]> {
  const recent = new Date(now.getTime() - 3 * 86_400_000)
  const found = await sql<{ machineId: number; merchantId: number; minutes: number }>`
    select m.id as "machineId", m.merchant_id as "merchantId",
      floor(extract(epoch from ${now}::timestamptz - last.at) / 60)::int as minutes
    from machine m
    cross join lateral (select r.at, r.celsius_tenths from temperature_record r
      where r.machine_id = m.id and r.at > ${recent} order by r.at desc limit 1) last
    where m.retired_at is null and m.id in (select machine_id from temperature_day where day >= ${recent}::date)
      and ${now}::timestamptz - last.at > interval '1 millisecond' * case
        when last.celsius_tenths between coalesce(m.temperature_min_c, -1000) * 10
          and coalesce(m.temperature_max_c, 1000) * 10
        then ${SILENCE_MS.inRange}::int else ${SILENCE_MS.outOfRange}::int end`.execute(tx)
  return found.rows.map(({ minutes, ...machine }) => ({ ...machine, facts: { minutes } }))
}
