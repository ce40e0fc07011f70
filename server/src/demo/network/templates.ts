import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { DEMO_OPERATOR, PLATFORM } from '../data/merchants'
import { type Ids, idOf } from '../people/people'

type Template = { merchant: string; category: string; name: string; remark: string }

/** Each is made of a machine of its kind, so that it looks as machines do. */
const templates: readonly Template[] = [
  { merchant: PLATFORM, category: 'drink', name: '标准饮料机', remark: '全国通用的饮料组合' },
  { merchant: PLATFORM, category: 'snack', name: '标准零食机', remark: '全国通用的零食组合' },
  { merchant: DEMO_OPERATOR, category: 'drink', name: '江南饮料机', remark: '含本地饮品，夏季主推' },
  { merchant: DEMO_OPERATOR, category: 'combo', name: '江南综合机', remark: '写字楼与医院大厅' },
]
const FOLLOWERS = 6

/** Templates with machines that follow them, some of them behind; and a few slots that wait for their next service. */
export async function seedTemplates(tx: Tx, ids: { merchants: Ids; users: Ids }, now: Date): Promise<void> {
  for (const template of templates) {
    const merchantId = idOf(ids.merchants, template.merchant)
    const isOperator = template.merchant === DEMO_OPERATOR
    const userId = idOf(ids.users, isOperator ? 'operator' : 'admin')
    const updatedAt = new Date(now.getTime() - (isOperator ? 9 : 40) * DAY_MS)
    const made = await sql<{ id: number; source: number }>`
      with source as (
        select m.id, m.temperature_min_c, m.temperature_max_c from machine m
        join merchant c on c.id = m.merchant_id and c.path @> array[${merchantId}]::bigint[]
        where m.category = ${template.category} and not exists (
          select 1 from slot s join product p on p.id = s.product_id
          where s.machine_id = m.id and not exists (
            select 1 from merchant own where own.id = ${merchantId} and p.merchant_id = any(own.path)))
        order by m.merchant_id <> ${merchantId}, m.id limit 1
      ), made as (
        insert into template (merchant_id, name, remark, flow_alarm_mb, temperature_min_c, temperature_max_c,
          thermostat, version, created_at, updated_at, updated_by)
        select ${merchantId}, ${template.name}, ${template.remark}, 2048, source.temperature_min_c,
          source.temperature_max_c, '{"mode": "cooling", "workingC": 6, "periods": [{"from": "07:00", "to": "23:00"}]}',
          2, ${updatedAt}, ${updatedAt}, ${userId} from source returning id
      )
      select made.id, source.id as source from made, source`.execute(tx)
    const [one] = made.rows
    if (!one) continue
    await sql`insert into template_slot (template_id, layer, position, product_id, price_fen, capacity, alarm_threshold)
      select ${one.id}, layer, position, product_id, price_fen, capacity, alarm_threshold from slot
      where machine_id = ${one.source}`.execute(tx)
    if (isOperator) await follow(tx, one, { merchantId, userId, category: template.category, updatedAt })
  }
  await planNext(tx, idOf(ids.users, 'operator'), now)
}

type Following = { merchantId: number; userId: number; category: string; updatedAt: Date }

/** Those that were given the version before: what stands in them may differ. */
async function follow(
  tx: Tx,
  { id }: { id: number; source: number },
  { merchantId, userId, category, updatedAt }: Following,
): Promise<void> {
  const before = new Date(updatedAt.getTime() - 30 * DAY_MS)
  await sql`insert into template_use (machine_id, template_id, version, applied_at, applied_by)
    select m.id, ${id}, 1, ${before}, ${userId} from machine m
    where m.merchant_id = ${merchantId} and m.category = ${category} order by m.id limit ${sql.lit(FOLLOWERS)}
    on conflict do nothing`.execute(tx)
}

/** The next best of the same shelf waits for slots that hold little. */
async function planNext(tx: Tx, userId: number, now: Date): Promise<void> {
  const plannedAt = new Date(now.getTime() - 0.4 * DAY_MS)
  await sql`update slot set next_product_id = chosen.product_id, next_price_fen = chosen.price_fen,
      next_capacity = slot.capacity, next_at = ${plannedAt}, next_by = ${userId}
    from (
      select s.id, other.id as product_id, other.price_fen from slot s
      join product p on p.id = s.product_id and p.medicine_class is null
      join machine_grant_user g on g.machine_id = s.machine_id and g.user_id = ${userId}
      join lateral (select o.id, o.price_fen from product o
        where o.category_id = p.category_id and o.id <> p.id
          and o.merchant_id = p.merchant_id and o.medicine_class is null
        order by o.id limit 1) other on true
      where s.id % 97 = 3 order by s.id limit 8
    ) chosen where chosen.id = slot.id`.execute(tx)
}
