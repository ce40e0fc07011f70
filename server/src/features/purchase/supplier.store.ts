import { medicineClasses } from '@aisle/contract/catalog/product'
import { type NeededPaper, type Paper, type SupplierState, supplierState } from '@aisle/contract/purchase/supplier'
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from '../../kernel/context'
import { dayAt } from '../../kernel/platformDays'
import { refuse } from '../../kernel/refuse'
import { stateful } from '../../kernel/states'
import { verbFor } from './supplier.rules'

type Sql = RawBuilder<unknown>

/** @throws Refusal supplier.state */
export const supplierMoves = stateful('supplier', 'state', supplierState, {
  versioned: true,
  refuse: ({ name }: { id: number; name: string }) => refuse('supplier.state', { name }),
})

const inForce = (supplierId: Sql, day: Sql) => sql`select f.kind, f.scope from supplier_paper f
  where f.supplier_id = ${supplierId} and f.revoked_at is null and f.valid_from <= ${day}
    and (f.valid_to is null or f.valid_to >= ${day})`

const literals = (words: readonly string[]) => sql.join(words.map((each) => sql.lit(each)))

/** To trade medicine, or to make it. */
const licences = ['medicineTrade', 'medicineMaking'] as const

/** What the law asks for and no paper in force gives. @param supplier the alias of its table */
export function missingOf(supplier: string, day: Sql): RawBuilder<NeededPaper[]> {
  const id = sql.ref(`${supplier}.id`)
  const lacks = (...kinds: Paper['kind'][]) => sql`not exists (${inForce(id, day)} and f.kind in (${literals(kinds)}))`
  const forMedicine = sql`${sql.ref(`${supplier}.delivers_medicine`)}`
  return sql`array_remove(array[
    case when ${lacks('business')} then 'business' end,
    case when ${forMedicine} and ${lacks(...licences)} then 'medicine' end,
    case when ${forMedicine} and ${lacks('quality')} then 'quality' end,
    case when ${forMedicine} and ${lacks('sales')} then 'sales' end], null)`
}

/** Classes that its medicine licences in force allow; one that names none allows all. */
export const scopeOf = (supplier: string, day: Sql): RawBuilder<Paper['scope']> => sql`array(
  select distinct unnest(case when f.scope = '{}' then array[${literals(medicineClasses)}] else f.scope end)
  from (${inForce(sql.ref(`${supplier}.id`), day)}) f where f.kind in (${literals(licences)}) order by 1)`

export type Standing = {
  id: number
  merchantId: number
  name: string
  state: SupplierState
  deliversMedicine: boolean
  missing: NeededPaper[]
  scope: Paper['scope']
  termsDays: number
  /** Today, where its merchant is. */
  day: string
}

const standings = (now: Date, which: Sql): RawBuilder<Standing> => {
  const day = dayAt(now, sql`m.time_zone`)
  return sql`
    select s.id, s.merchant_id as "merchantId", s.name, s.state, s.delivers_medicine as "deliversMedicine",
      ${missingOf('s', day)} as missing, ${scopeOf('s', day)} as scope, s.terms_days as "termsDays",
      to_char(${day}, 'YYYY-MM-DD') as day
    from supplier s join merchant m on m.id = s.merchant_id where ${which} order by s.id`
}

/** @param which in the columns of `s` */
export const standingFor = async (db: Reader, now: Date, which: Sql): Promise<Standing[]> =>
  (await standings(now, which).execute(db)).rows

/** Stays as it is for all who buy from it at the same time: nothing is ordered by what is just being changed. */
export const sharedStanding = async (tx: Tx, now: Date, which: Sql): Promise<Standing[]> =>
  (await sql<Standing>`${standings(now, which)} for share of s`.execute(tx)).rows

/** Held, to be changed. */
export const standingOf = async (tx: Tx, now: Date, which: Sql): Promise<Standing[]> =>
  (await sql<Standing>`${standings(now, which)} for update of s`.execute(tx)).rows

/** Moves those whose papers have ended, or are whole again. @returns who was moved, as they were */
export async function followPapers(tx: Tx, now: Date, which: Sql): Promise<(Standing & { now: SupplierState })[]> {
  const moved: (Standing & { now: SupplierState })[] = []
  for (const supplier of await standingOf(tx, now, which)) {
    const verb = verbFor(supplier.state, supplier.missing)
    if (verb) moved.push({ ...supplier, now: await supplierMoves.move(tx, supplier, verb) })
  }
  return moved
}

export async function findPapers(db: Reader, supplierId: number, now: Date) {
  const day = dayAt(now, sql`m.time_zone`)
  const found = await sql<Omit<Paper, 'state'> & { isRevoked: boolean; day: string }>`
    select p.id, p.kind, p.number, to_char(p.valid_from, 'YYYY-MM-DD') as "validFrom",
      to_char(p.valid_to, 'YYYY-MM-DD') as "validTo", p.scope, p.pictures, p.valid_to - ${day} as "daysLeft",
      to_json(p.added_at) #>> '{}' as "addedAt", u.display_name as "addedBy", p.revoke_reason as "revokeReason",
      p.revoked_at is not null as "isRevoked", to_char(${day}, 'YYYY-MM-DD') as day
    from supplier_paper p join supplier s on s.id = p.supplier_id join merchant m on m.id = s.merchant_id
    left join app_user u on u.id = p.added_by
    where p.supplier_id = ${supplierId} order by p.revoked_at is not null, p.kind, p.valid_from desc, p.id desc
    limit 100`.execute(db)
  return found.rows
}
