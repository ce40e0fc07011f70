import type {
  FlowCard,
  FlowCardDetail,
  FlowCardState,
  listFlowCards,
  summariseFlowCards,
} from '@aisle/contract/fleet/flowCard'
import { flowCardStates } from '@aisle/contract/fleet/flowCard'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { allOf, holds, listRows, type Order, type Page } from '../../kernel/list'
import { machineInSight, merchantInSight, type Sight } from '../../kernel/scope'
import { cardState, flowDay, flowMonth, limitMb } from './flow.store'

type Filter = InputOf<typeof listFlowCards>

const mb = (kb: RawBuilder<unknown>) => sql`round(coalesce(${kb}, 0) / 1024.0, 1)::float8`

/** The machine's code only for who sees the machine. */
const seen = (sight: Sight, now: Date): RawBuilder<unknown> => sql`
  select f.id, f.merchant_id as "merchantId", c.name as "merchantName", f.iccid, f.imei, f.imsi, f.phone, f.carrier,
    f.type as "cardType", case when ${machineInSight(sight, sql`m.id`)} then m.code end as "machineCode",
    ${cardState(now)} as state,
    ${mb(sql`d.used_kb`)} as "todayMb", ${mb(sql`u.used_kb`)} as "monthMb", coalesce(u.used_kb, 0) as month_kb,
    f.plan_mb as "planMb", ${limitMb} as "limitMb", f.opened_on::text as "openedOn", f.expires_on::text as "expiresOn"
  from flow_card f join merchant c on c.id = f.merchant_id
  left join machine m on m.id = f.machine_id
  left join flow_day d on d.card_id = f.id and d.day = ${flowDay(now)}::date
  left join flow_month u on u.card_id = f.id and u.month = ${flowMonth(now)}::date
  where ${merchantInSight(sight, sql`f.merchant_id`)}`

const worst = sql`array_position(${[...flowCardStates]}::text[], state)::bigint * 1000000000
  - least(month_kb, 999999999)`

const orders: Record<Filter['sort'], Order> = {
  worst: { by: worst, type: 'bigint' },
  month: { by: sql`-month_kb`, type: 'bigint' },
  expiry: { by: sql`coalesce("expiresOn", '9999-12-31')`, type: 'text' },
  iccid: { by: sql`iccid`, type: 'text' },
}

export async function page(db: Reader, sight: Sight, filter: Filter, now: Date): Promise<Page<FlowCard>> {
  const { flowCard: q, cardState: state, carrier, machineCode, merchantId, sort } = filter
  const where = allOf([
    q &&
      sql`(iccid like ${`%${q.replace(/[\\%_]/g, '\\$&')}%`} or ${holds(sql`phone`, q)} or imsi = ${q} or imei = ${q})`,
    state && sql`state = ${state}`,
    carrier && sql`carrier = ${carrier}`,
    machineCode && sql`"machineCode" = ${machineCode}`,
    merchantId && sql`"merchantId" in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  ])
  return listRows<FlowCard>(db, { rows: seen(sight, now), where, order: orders[sort] }, filter)
}

type Found = Omit<FlowCardDetail, 'days' | 'months' | 'heardAt'> & { heardAt: Date | null }

export async function findDetail(db: Reader, sight: Sight, id: number, now: Date): Promise<FlowCardDetail | undefined> {
  const found = await sql<Found>`
    select seen.*, f.version, f.alarm_mb as "alarmMb", f.remark, f.machine_id is not null as "isBound",
      case when seen."machineCode" is null then null else m.name end as "machineName", n.at as "heardAt"
    from (${seen(sight, now)}) seen join flow_card f on f.id = seen.id
    left join machine m on m.id = f.machine_id left join flow_counter n on n.card_id = f.id
    where seen.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) return undefined
  const days = await sql<FlowCardDetail['days'][number]>`select day::text, ${mb(sql`used_kb`)} as "usedMb"
    from flow_day where card_id = ${id} order by day desc limit 31`.execute(db)
  const months = await sql<FlowCardDetail['months'][number]>`select month::text, ${mb(sql`used_kb`)} as "usedMb"
    from flow_month where card_id = ${id} order by month desc limit 12`.execute(db)
  return { ...row, heardAt: row.heardAt?.toISOString() ?? null, days: days.rows, months: months.rows }
}

type Summary = OutputOf<typeof summariseFlowCards>

export async function summary(db: Reader, sight: Sight, now: Date): Promise<Summary> {
  const found = await sql<{ state: FlowCardState; count: number; kb: number }>`
    select state, count(*) as count, sum(month_kb)::bigint as kb
    from (${seen(sight, now)}) seen group by state`.execute(db)
  const counts: Summary = { total: 0, expired: 0, over_limit: 0, expiring: 0, in_use: 0, spare: 0, monthMb: 0 }
  let kb = 0
  for (const each of found.rows) {
    counts[each.state] = each.count
    counts.total += each.count
    kb += each.kb
  }
  return { ...counts, monthMb: Math.round((kb * 10) / 1024) / 10 }
}

export type CardRow = {
  id: number
  merchantId: number
  iccid: string
  imei: string
  imsi: string
  phone: string
  carrier: string
  cardType: string
  machineId: number | null
  planMb: number
  alarmMb: number
  openedOn: string | null
  expiresOn: string | null
  remark: string
  version: number
}

/** Held until the end of the transaction; nothing for one that is out of sight. */
export async function findForUpdate(tx: Tx, sight: Sight, id: number): Promise<CardRow | undefined> {
  const found = await sql<CardRow>`select f.id, f.merchant_id as "merchantId", f.iccid, f.imei, f.imsi, f.phone,
      f.carrier, f.type as "cardType", f.machine_id as "machineId", f.plan_mb as "planMb", f.alarm_mb as "alarmMb",
      f.opened_on::text as "openedOn", f.expires_on::text as "expiresOn", f.remark, f.version
    from flow_card f where f.id = ${id} and ${merchantInSight(sight, sql`f.merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}
