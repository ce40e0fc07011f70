import type { listStockRules, previewStockRule } from '@aisle/contract/alarm/stockRule'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { isOutOfStock, stockRuleScopes } from '@aisle/contract/alarm/stockRule'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { machineInSight, merchantInSight, refuseUnseenMerchant, type Sight } from '../../kernel/scope'
import { stockRuleJoin, stockRuleOf } from './sweep.store'

/** A rule is seen where its machine is, else where its merchant is. */
export const ruleInSight = (sight: Sight): RawBuilder<boolean> => sql<boolean>`
  case when r.machine_id is not null then ${machineInSight(sight, sql`r.machine_id`)}
    else ${merchantInSight(sight, sql`r.merchant_id`)} end`

type Listed = OutputOf<typeof listStockRules>

export async function list(db: Reader, sight: Sight): Promise<Listed> {
  const decided = await decisions(db, sight, sql`true`)
  const found = await sql<Omit<Listed['items'][number], 'machines' | 'short'>>`
    select r.id, c.name as "merchantName", p.name as "pointName", m.code as "machineCode", m.name as "machineName",
      r.empty, r.of_slots as "ofSlots", r.version, to_json(r.updated_at) #>> '{}' as "updatedAt"
    from stock_alarm_rule r join merchant c on c.id = r.merchant_id left join point p on p.id = r.point_id
    left join machine m on m.id = r.machine_id
    where ${ruleInSight(sight)}
    order by num_nonnulls(r.point_id) * 1 + num_nonnulls(r.machine_id) * 2, cardinality(c.path), c.name, p.name, m.code
    limit 1000`.execute(db)
  const figures = (id: number | null) => {
    const own = decided.filter(({ ruleId }) => ruleId === id)
    return { machines: own.length, short: own.filter(isShort).length }
  }
  return { items: found.rows.map((row) => ({ ...row, ...figures(row.id) })), shipped: figures(null) }
}

type Decided = {
  id: number
  code: string
  name: string
  pointName: string
  empty: number
  slots: number
  ruleId: number | null
  ruleEmpty: number
  ruleOf: number | null
  /** 1: of a merchant, 2: of a point, 3: of the machine; 0: the product's. */
  special: number
  /** Of a merchant's rule: how far down the tree its merchant is. */
  depth: number | null
}

const isShort = ({ empty, slots, ruleEmpty, ruleOf }: Decided): boolean =>
  isOutOfStock({ empty, slots }, { empty: ruleEmpty, ofSlots: ruleOf })

async function decisions(db: Reader, sight: Sight, which: RawBuilder<unknown>): Promise<Decided[]> {
  const found = await sql<Decided>`
    select m.id, m.code, m.name, p.name as "pointName", s.empty_slots as empty, s.slot_count as slots,
      ${stockRuleOf.id} as "ruleId", ${stockRuleOf.empty} as "ruleEmpty", ${stockRuleOf.ofSlots} as "ruleOf",
      case when rm.id is not null then 3 when rp.id is not null then 2 when rc.id is not null then 1 else 0 end
        as special, rc.depth
    from machine m join machine_state s on s.machine_id = m.id join point p on p.id = m.point_id ${stockRuleJoin}
    where m.retired_at is null and ${machineInSight(sight, sql`m.id`)} and ${which}`.execute(db)
  return found.rows
}

type Preview = OutputOf<typeof previewStockRule>
const SHOWN = 50

/** The worst first. What a more special rule decides is counted apart. */
export async function preview(
  db: Reader,
  sight: Sight,
  asked: InputOf<typeof previewStockRule>,
  ownMerchantId: number,
): Promise<Preview> {
  const { id: ruleId, scope, empty, ofSlots, merchantId = ownMerchantId, pointId, machineCode } = asked
  await refuseUnseen(db, sight, asked)
  const level = stockRuleScopes.indexOf(scope) + 1
  const depth = ruleId || scope !== 'merchant' ? Infinity : await depthOf(db, merchantId)
  const reach = {
    machine: sql`m.code = ${machineCode ?? ''}`,
    point: sql`m.point_id = ${pointId ?? null}::bigint`,
    merchant: sql`m.merchant_id in (select id from merchant where path @> array[${merchantId}]::bigint[])`,
  }
  const found = await decisions(db, sight, ruleId ? sql`${stockRuleOf.id} = ${ruleId}` : reach[scope])
  const isOwn = (one: Decided) => one.special <= level && (one.special !== 1 || (one.depth ?? 0) <= depth)
  const own = ruleId ? found : found.filter(isOwn)
  const rule = { empty, ofSlots: ofSlots ?? null }
  const short = own.filter((machine) => isOutOfStock(machine, rule)).sort((a, b) => b.empty - a.empty)
  const shortNow = own.filter(isShort)
  return {
    machines: found.length,
    special: found.length - own.length,
    short: short.length,
    shortSlots: emptySlots(short),
    shortNow: shortNow.length,
    shortSlotsNow: emptySlots(shortNow),
    items: short.slice(0, SHOWN).map(({ id, code, name, pointName, empty: none, slots }) => ({
      id,
      code,
      name,
      pointName,
      empty: none,
      slots,
    })),
  }
}

const emptySlots = (machines: readonly Decided[]): number => machines.reduce((sum, { empty }) => sum + empty, 0)

async function depthOf(db: Reader, merchantId: number): Promise<number> {
  const found = await sql<{ depth: number }>`select cardinality(path) as depth from merchant
    where id = ${merchantId}`.execute(db)
  return found.rows[0]?.depth ?? 0
}

async function refuseUnseen(db: Reader, sight: Sight, asked: InputOf<typeof previewStockRule>): Promise<void> {
  const { id, merchantId, pointId } = asked
  if (id) {
    const found = await sql`select 1 from stock_alarm_rule r where r.id = ${id} and ${ruleInSight(sight)}`.execute(db)
    if (found.rows.length === 0) refuse('request.notFound')
  }
  if (merchantId) await refuseUnseenMerchant(db, sight, merchantId)
  if (!pointId) return
  const found = await sql`select 1 from point p where p.id = ${pointId}
    and ${merchantInSight(sight, sql`p.merchant_id`)}`.execute(db)
  if (found.rows.length === 0) refuse('request.notFound')
}
