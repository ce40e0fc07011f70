import { type AlarmCause, alarmCauses } from '@aisle/contract/alarm/states'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import { recountUsual } from '../features/alarm/usual.store'
import { businessTime, PLATFORM_TIME_ZONE } from '../kernel/businessDay'
import type { Tx } from '../kernel/context'
import { DAY_MS, HOUR_MS } from './calendar'
import { DEMO_OPERATOR } from './data/merchants'
import { idOf, type Ids } from './people/people'
import { randomFrom, seedOf } from './random'

type Machine = { id: number; merchantId: number; code: string; slots: string[] }

/** What people of the demo said when they closed an alarm by hand. */
const notes = ['现场查看，补货员忘记锁门', '监控确认为维保人员', '已重新插紧排线']

/**
 * A month of alarms: jams as they stand in the orders, silences and faults drawn by chance and long over, and a few
 * that last since only a person ends them. The rest opens by itself once the simulated machines speak.
 */
export async function seedAlarms(tx: Tx, ids: { merchants: Ids; users: Ids }, now: Date): Promise<void> {
  await recountUsual(tx, businessTime(now, PLATFORM_TIME_ZONE).day)
  await seedJams(tx, now)
  const machines = await sql<Machine>`select m.id, m.merchant_id as "merchantId", m.code,
      coalesce((select array_agg(s.code order by s.code) from slot s where s.machine_id = m.id), '{}') as slots
    from machine m order by m.code`.execute(tx)
  const over = machines.rows.flatMap((machine) => pastOf(machine, now))
  await insert(tx, over)
  const userId = idOf(ids.users, 'maintainer')
  await insert(
    tx,
    machines.rows.flatMap((machine) => lastingOf(machine, now)),
  )
  await sql`update alarm set state = 'acknowledged', acknowledged_by = ${userId}, acknowledged_at = opened_at
    where state = 'open' and cause = 'device'`.execute(tx)
  await seedRules(tx, ids, now)
}

type Seeded = {
  machineId: number
  merchantId: number
  cause: AlarmCause
  slot: string
  level: string
  facts: string
  openedAt: Date
  closedAt: Date | null
  note: string
}

const alarm = (
  { id, merchantId }: Machine,
  cause: AlarmCause,
  openedAt: Date,
  closedAt: Date | null,
  more: { slot?: string; facts?: Record<string, string | number>; note?: string } = {},
): Seeded => ({
  machineId: id,
  merchantId,
  cause,
  slot: more.slot ?? '',
  level: alarmCauses[cause],
  facts: JSON.stringify(more.facts ?? {}),
  openedAt,
  closedAt,
  note: more.note ?? '',
})

/** Some machines stand where the network is poor, and are silent every few days. */
function pastOf(machine: Machine, now: Date): Seeded[] {
  const random = randomFrom(seedOf(`${machine.code}/alarms`))
  const at = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS)
  const spans = random.chance(0.12) ? random.between(5, 9) : random.poisson(0.8)
  const silences = Array.from({ length: spans }, (_, n) => {
    const from = at(1 + ((n + random.next()) * 28) / spans)
    return alarm(machine, 'offline', from, new Date(from.getTime() + random.factor(0.8) * HOUR_MS))
  })
  if (!random.chance(0.15)) return silences
  const from = at(2 + random.next() * 20)
  const closedAt = new Date(from.getTime() + random.between(1, 9) * HOUR_MS)
  const facts = { codes: random.pick(['E03', 'E11', 'E21']) }
  return [...silences, alarm(machine, 'machine_fault', from, closedAt, { facts })]
}

/** What no message of the machine ends. */
function lastingOf(machine: Machine, now: Date): Seeded[] {
  const random = randomFrom(seedOf(`${machine.code}/lasting`))
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  const past = random.chance(0.1)
    ? [
        alarm(machine, 'door_unexpected', ago(90), ago(88), {
          facts: { door: 'main' },
          note: random.pick(notes),
        }),
      ]
    : []
  if (random.chance(0.04)) return [...past, alarm(machine, 'door_unexpected', ago(random.between(1, 9)), null)]
  const slot = machine.slots[random.between(0, Math.max(0, machine.slots.length - 1))]
  if (slot && random.chance(0.05)) {
    const facts = { failed: 3, of: 10 }
    return [...past, alarm(machine, 'repeated_failure', ago(random.between(2, 30)), null, { slot, facts })]
  }
  const facts = { code: 'FAN_SLOW', value: 640 }
  return random.chance(0.04)
    ? [...past, alarm(machine, 'device', ago(random.between(3, 40)), null, { slot: 'FAN_SLOW', facts })]
    : past
}

/** People have been told of all of them: a demo that begins with a thousand messages is none. */
async function insert(tx: Tx, alarms: readonly Seeded[]): Promise<void> {
  await sql`insert into alarm (machine_id, merchant_id, cause, slot_code, level, facts, opened_at, seen_at, closed_at,
      closed_note, state, told_at, usual_fen_hour)
    select machine_id, merchant_id, cause, slot, level, facts, opened_at, coalesce(closed_at, opened_at), closed_at,
      note, case when closed_at is null then 'open' else 'closed' end, opened_at,
      case when cause in ('offline', 'machine_fault')
        then (select round(sum(u.paid_fen) / 168)::bigint from usual_day u where u.machine_id = a.machine_id)
        when cause = 'repeated_failure' then (select u.fen_hour from slot s join usual_slot u on u.slot_id = s.id
          where s.machine_id = a.machine_id and s.code = a.slot) end
    from ${rows('a', alarms, {
      machineId: 'bigint',
      merchantId: 'bigint',
      cause: 'text',
      slot: 'text',
      level: 'text',
      facts: 'jsonb',
      openedAt: 'timestamptz',
      closedAt: 'timestamptz',
      note: 'text',
    })} on conflict do nothing`.execute(tx)
}

/** One each time that a slot began to fail, until it gave something out again; the last may still last. */
async function seedJams(tx: Tx, now: Date): Promise<void> {
  await sql`insert into alarm (machine_id, merchant_id, cause, slot_code, level, facts, opened_at, seen_at, closed_at,
      state, told_at, usual_fen_hour)
    select s.machine_id, m.merchant_id, 'jam', s.code, 'warning',
      jsonb_build_object('motor', j.motor_code, 'sensor', j.sensor_code), j.occurred_at, j.occurred_at, j.good_at,
      case when j.good_at is null then 'open' else 'closed' end, j.occurred_at, u.fen_hour
    from (
      select slot_id, occurred_at, motor_code, sensor_code, state,
        lag(state) over w as before, min(occurred_at) filter (where state = 'dispensed') over (
          partition by slot_id order by occurred_at, order_id rows between 1 following and unbounded following)
          as good_at
      from order_item where occurred_at >= ${new Date(now.getTime() - 30 * DAY_MS)}
      window w as (partition by slot_id order by occurred_at, order_id)) j
    join slot s on s.id = j.slot_id join machine m on m.id = s.machine_id left join usual_slot u on u.slot_id = s.id
    where j.state = 'jammed' and j.before is distinct from 'jammed'
    on conflict do nothing`.execute(tx)
}

/** The operator is told a little earlier than the product would; one of its points later. */
async function seedRules(tx: Tx, ids: { merchants: Ids }, now: Date): Promise<void> {
  const merchantId = idOf(ids.merchants, DEMO_OPERATOR)
  await sql`insert into stock_alarm_rule (merchant_id, point_id, empty, of_slots, updated_at)
    select ${merchantId}::bigint, null::bigint, 4, 60, ${now}::timestamptz
    union all (select p.merchant_id, p.id, 6, null, ${now} from point p where p.merchant_id = ${merchantId}
      order by p.id limit 1)`.execute(tx)
}
