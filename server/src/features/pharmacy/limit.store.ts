import { itemState } from '@aisle/contract/trade/states'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Reader, Tx } from '../../kernel/context'
import { limitFor } from '../medicine/public'
import type { Limit, Take } from './limit.rules'
import { statesIn } from '../../kernel/states'

/** Of the medicines among them that count towards a limit: the group of each. */
export async function groupsOf(db: Reader, productIds: readonly number[]): Promise<Map<number, string>> {
  const found = await sql<{ product_id: number; limit_group: string }>`select product_id, limit_group from medicine
    where product_id = any(${[...new Set(productIds)]}::bigint[]) and limit_group is not null`.execute(db)
  return new Map(found.rows.map((row) => [row.product_id, row.limit_group]))
}

export type PersonGroup = { merchantId: number; personHash: Buffer; limitGroup: string }
export const personKey = ({ merchantId, personHash, limitGroup }: PersonGroup): string =>
  `${merchantId}/${personHash.toString('hex')}/${limitGroup}`

export type Allowance = Limit & { takes: Take[] }

/**
 * What each person has had of each group, over all machines of the merchant; locked until the commit, so that two
 * machines count one after the other. A group without a rule is not limited.
 */
export async function lockAllowances(tx: Tx, wanted: readonly PersonGroup[]): Promise<Map<string, Allowance>> {
  if (wanted.length === 0) return new Map()
  const each = [...new Map(wanted.map((one) => [personKey(one), one])).values()]
  const asked = rows('w', each, { merchantId: 'bigint', personHash: 'bytea', limitGroup: 'text' })
  await sql`insert into real_name_person select * from ${asked} order by 1, 2, 3 on conflict do nothing`.execute(tx)
  await sql`select from real_name_person p
    where (p.merchant_id, p.person_hash, p.limit_group) in (select * from ${asked})
    order by p.merchant_id, p.person_hash, p.limit_group for update`.execute(tx)
  const found = await sql<PersonGroup & Limit & { takes: { packs: number; at: string }[] }>`
    select w.merchant_id as "merchantId", w.person_hash as "personHash", w.limit_group as "limitGroup", l.packs, l.days,
      coalesce((select json_agg(json_build_object('packs', t.packs, 'at', t.taken_at)) from real_name_take t
        where t.merchant_id = w.merchant_id and t.person_hash = w.person_hash and t.limit_group = w.limit_group
          and t.packs > 0), '[]') as takes
    from ${asked} join lateral (${limitFor(sql`w.merchant_id`, sql`w.limit_group`)}) l on true`.execute(tx)
  return new Map(
    found.rows.map(({ packs, days, takes, ...who }) => {
      const had = takes.map((take) => ({ packs: take.packs, at: new Date(take.at) }))
      return [personKey(who), { packs, days, takes: had }]
    }),
  )
}

export type NewTake = PersonGroup & { orderId: number; packs: number; at: Date }

export async function insertTakes(tx: Tx, takes: readonly NewTake[]): Promise<void> {
  if (takes.length === 0) return
  await sql`insert into real_name_take (order_id, limit_group, merchant_id, person_hash, packs, taken_at)
    select * from ${rows('t', takes, {
      orderId: 'bigint',
      limitGroup: 'text',
      merchantId: 'bigint',
      personHash: 'bytea',
      packs: 'int',
      at: 'timestamptz',
    })}`.execute(tx)
}

/**
 * What orders that are over took counts as what came out of them, or may have: on the prescription, and what of the
 * group was bought beside it.
 */
export async function recountTakes(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  const ofGroup = sql`join medicine m on m.product_id = i.product_id and m.limit_group = t.limit_group`
  await sql`update real_name_take t set packs = (
      select count(*) from prescription_fill_item i ${ofGroup} where i.order_id = t.order_id and i.state <> 'free'
    ) + (
      select count(*) from order_number n
      join order_item i on i.merchant_id = n.merchant_id and i.occurred_at = n.occurred_at and i.order_id = n.order_id
      ${ofGroup}
      where n.order_id = t.order_id and i.state in ${statesIn(itemState, 'perhapsOut')} and not exists (
        select 1 from prescription_fill_item f where f.order_id = i.order_id and f.index = i.index))
    where t.order_id = any(${[...orderIds]}::bigint[])`.execute(tx)
}

export async function removeTakes(tx: Tx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`delete from real_name_take where order_id = any(${[...orderIds]}::bigint[])`.execute(tx)
}

/** Kept as long as a rule asks for it, and no longer. @returns how many people are no longer known */
export async function forgetTakes(db: Reader, now: Date): Promise<number> {
  await sql`delete from real_name_take
    where taken_at < ${now}::timestamptz - make_interval(days => coalesce(
      (select max(days) from real_name_limit), 0) + 1)`.execute(db)
  const gone = await sql`delete from real_name_person p where not exists (select from real_name_take t
    where t.merchant_id = p.merchant_id and t.person_hash = p.person_hash and t.limit_group = p.limit_group)`.execute(
    db,
  )
  return Number(gone.numAffectedRows ?? 0)
}
