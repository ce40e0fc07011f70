import { itemState } from '@aisle/contract/trade/states'
import type { getDiagnosis } from '@aisle/contract/maintenance/diagnosis'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'
import { adviceOf } from './diagnosis.rules'
import { statesIn } from '../../kernel/states'

type Diagnosis = OutputOf<typeof getDiagnosis>
type Of = { id: number; merchantId: number; since: Date; now: Date }

const DAYS = 30
const HOUR_MS = 3_600_000

type Machine = {
  code: string
  name: string
  pointName: string
  merchantId: number
  min: number | null
  max: number | null
}

/** All facts of thirty days, and what they look like. */
export async function diagnose(db: Reader, sight: Sight, id: number, now: Date): Promise<Diagnosis | undefined> {
  const found = await sql<Machine>`
    select m.code, m.name, p.name as "pointName", m.merchant_id as "merchantId", m.temperature_min_c as min,
      m.temperature_max_c as max
    from machine m join point p on p.id = m.point_id
    where m.id = ${id} and ${machineInSight(sight, sql`m.id`)}`.execute(db)
  const [machine] = found.rows
  if (!machine) return undefined
  const { code, name, pointName, merchantId, min, max } = machine
  const of = { id, merchantId, now, since: new Date(now.getTime() - DAYS * 24 * HOUR_MS) }
  const { failures, ...vends } = await findVends(db, of)
  const alarms = await findAlarms(db, of)
  const offline = await findOffline(db, of)
  const temperature = { min, max, points: await findTemperature(db, of) }
  const offlineHours = offline.reduce((hours, span) => hours + hoursOf(span, now), 0)
  const counts = Object.fromEntries(alarms.map(({ cause, count }) => [cause, count]))
  const facts = { failures, offlineSpans: offline.length, offlineHours, temperature, alarms: counts }
  return {
    code,
    name,
    pointName,
    days: DAYS,
    ...vends,
    failures,
    codes: codesOf(failures),
    alarms,
    offline,
    offlineHours: Math.round(offlineHours * 10) / 10,
    temperature,
    advice: adviceOf(facts),
    openOrders: await findOrders(db, id),
  }
}

const hoursOf = ({ from, to }: Diagnosis['offline'][number], now: Date): number =>
  ((to ? Date.parse(to) : now.getTime()) - Date.parse(from)) / HOUR_MS

type Vends = Pick<Diagnosis, 'vends' | 'failed' | 'failures'>

async function findVends(db: Reader, { id, since }: Of): Promise<Vends> {
  const found = await sql<Omit<Vends, 'failures'> & { failures: Vends['failures'] | null }>`
    with vend as materialized (
      select i.slot_id, i.state, coalesce(i.motor_code, '') as motor, coalesce(i.sensor_code, '') as sensor,
        coalesce(i.shipped_at, i.occurred_at) as at
      from orders o join order_item i
        on i.merchant_id = o.merchant_id and i.occurred_at = o.occurred_at and i.order_id = o.id
      where o.machine_id = ${id} and o.occurred_at >= ${since} and i.occurred_at >= ${since}
        -- What was left in after a jam says nothing of its own slot.
        and i.state in ${statesIn(itemState, 'told')} and i.motor_code is distinct from '104'),
    failure as (
      select s.code as slot, coalesce(p.name, '–') as product, v.motor as "motorCode", v.sensor as "sensorCode",
        count(*)::int as count, (select count(*)::int from vend w where w.slot_id = v.slot_id) as of,
        to_json(max(v.at)) #>> '{}' as "lastAt"
      from vend v join slot s on s.id = v.slot_id left join product p on p.id = s.product_id
      where v.state <> 'dispensed' group by v.slot_id, s.code, p.name, v.motor, v.sensor
      order by count(*) desc, s.code limit 60)
    select (select count(*)::int from vend) as vends,
      (select count(*)::int from vend where state <> 'dispensed') as failed,
      (select json_agg(failure) from failure) as failures`.execute(db)
  const [row] = found.rows
  return { vends: row?.vends ?? 0, failed: row?.failed ?? 0, failures: row?.failures ?? [] }
}

function codesOf(failures: Diagnosis['failures']): Diagnosis['codes'] {
  const codes = new Map<string, Diagnosis['codes'][number]>()
  for (const { motorCode, sensorCode, count } of failures) {
    const key = `${motorCode}/${sensorCode}`
    const one = codes.get(key) ?? { motorCode, sensorCode, count: 0, slots: 0 }
    codes.set(key, { ...one, count: one.count + count, slots: one.slots + 1 })
  }
  return [...codes.values()].sort((a, b) => b.count - a.count)
}

async function findAlarms(db: Reader, { id, since, now }: Of): Promise<Diagnosis['alarms']> {
  const found = await sql<Diagnosis['alarms'][number]>`
    select cause, count(*)::int as count,
      round((sum(extract(epoch from coalesce(closed_at, ${now}) - greatest(opened_at,
      ${since}))) / 3600)::numeric, 1)::float as hours
    from alarm where machine_id = ${id} and coalesce(closed_at, ${now}) >= ${since}
    group by cause order by count(*) desc`.execute(db)
  return found.rows
}

async function findOffline(db: Reader, { id, since, now }: Of): Promise<Diagnosis['offline']> {
  const found = await sql<Diagnosis['offline'][number]>`
    select to_json(greatest(opened_at, ${since})) #>> '{}' as "from", to_json(closed_at) #>> '{}' as "to"
    from alarm where machine_id = ${id} and cause = 'offline' and coalesce(closed_at, ${now}) >= ${since}
    order by opened_at desc limit 200`.execute(db)
  return found.rows
}

/** The mean of each hour over all probes, from the record of the cabinet. */
async function findTemperature(db: Reader, { id, since }: Of): Promise<Diagnosis['temperature']['points']> {
  const found = await sql<Diagnosis['temperature']['points'][number]>`
    select to_json(date_trunc('hour', at)) #>> '{}' as at, round(avg(celsius_tenths) / 10, 1)::float as celsius
    from temperature_record where machine_id = ${id} and at >= ${since}
    group by date_trunc('hour', at) order by date_trunc('hour', at)`.execute(db)
  return found.rows
}

async function findOrders(db: Reader, id: number): Promise<Diagnosis['openOrders']> {
  const found = await sql<Diagnosis['openOrders'][number]>`select id, problem, state from repair_order
    where machine_id = ${id} and closed_at is null order by id desc limit 20`.execute(db)
  return found.rows
}
