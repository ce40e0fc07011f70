import type { Warning } from '@aisle/contract/pharmacy/medicine'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { isOffered, limitFor } from '../medicine/public'
import { type MedicineFacts, warningsOf, type Written } from './warning.rules'

/** Products of a merchant's line: its own, of those above that it sells for, and of those below. */
export const isOfLine = (merchantId: number, owner: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from merchant own, merchant one where own.id = ${merchantId} and one.id = ${owner}
    and (one.id = any(own.path) or own.id = any(one.path)))`

/** From the platform down to the merchant. */
export const pathOf = (merchantId: number) => sql`(select path from merchant where id = ${merchantId})::bigint[]`

/** Which of these products are medicines that the merchant's doctors may write down. */
export async function knownMedicines(db: Reader, merchantId: number, ids: readonly number[]): Promise<Set<number>> {
  const found = await sql<{ id: number }>`select p.id from product p
    where p.id = any(${[...ids]}::bigint[]) and p.kind = 'medicine' and p.state = 'online'
      and ${isOffered(pathOf(merchantId), sql`p.id`)}
      and ${isOfLine(merchantId, sql`p.merchant_id`)}`.execute(db)
  return new Set(found.rows.map(({ id }) => id))
}

export async function medicineFacts(
  db: Reader,
  merchantId: number,
  ids: readonly number[],
): Promise<Map<number, MedicineFacts>> {
  const found = await sql<MedicineFacts>`
    select p.id as "productId", p.name, coalesce(m.ingredients, '{}') as ingredients, m.limit_group as "limitGroup",
      l.packs as "limitPacks", coalesce(m.dose_unit, '') as "doseUnit", coalesce(m.units_per_pack, 1) as "unitsPerPack",
      m.max_daily_units::float8 as "maxDailyUnits", m.max_days as "maxDays", m.min_age as "minAge",
      coalesce(m.not_for, '{}') as "notFor"
    from product p left join medicine m on m.product_id = p.id
    left join lateral (${limitFor(sql`${merchantId}`, sql`m.limit_group`)}) l on true
    where p.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.productId, row]))
}

/** What is warned of now, from what is known now of the medicines. */
export async function findWarnings(db: Reader, merchantId: number, written: Written, now: Date): Promise<Warning[]> {
  const facts = await medicineFacts(
    db,
    merchantId,
    written.lines.map(({ productId }) => productId),
  )
  const substances = [...new Set([...facts.values()].flatMap(({ ingredients }) => ingredients))]
  const pairs = await sql<{ first: string; second: string }>`select first, second from ingredient_pair
    where first = any(${substances}::text[]) and second = any(${substances}::text[]) order by 1, 2`.execute(db)
  return warningsOf(
    written,
    facts,
    pairs.rows.map(({ first, second }) => [first, second] as const),
    now.getUTCFullYear(),
  )
}

/** Whether one of them counts towards what a person may have: then the person has to be known. */
export async function isLimited(db: Reader, ids: readonly number[]): Promise<boolean> {
  const found = await sql`select from medicine where product_id = any(${[...ids]}::bigint[])
    and limit_group is not null limit 1`.execute(db)
  return found.rows.length > 0
}
