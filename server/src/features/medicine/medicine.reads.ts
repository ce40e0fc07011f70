import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import * as contract from '@aisle/contract/medicine/medicine'
import { sql } from 'kysely'
import type { QueryContext, Reader } from '../../kernel/context'
import { findOne, listingOf } from '../../kernel/kept.reads'
import type { Listing } from '../../kernel/list'
import { machineInSight } from '../../kernel/scope'
import { holdsAny } from '../../kernel/search'
import { foundAs, productShown, withBelow } from '../catalog/public'
import { dosageFormIn } from './dosageForm'
import type { MedicineTyped } from './medicine.store'

type Reading = Parameters<typeof findOne>[1]
type Listed = OutputOf<typeof contract.listMedicines>['items'][number]

/** Empty where nobody has said more of it than that it is a medicine. */
const shown = {
  medicineClass: sql`product.medicine_class`,
  approvalNumber: sql`coalesce(m.approval_number, '')`,
  dosageForm: sql`coalesce(m.dosage_form, '')`,
  storage: sql`coalesce(m.storage, 'room')`,
  limitGroup: sql`m.limit_group`,
  ingredients: sql`coalesce(m.ingredients, '{}')`,
  minAge: sql`m.min_age`,
  notFor: sql`coalesce(m.not_for, '{}')`,
  doseUnit: sql`coalesce(m.dose_unit, '')`,
  unitsPerPack: sql`coalesce(m.units_per_pack, 1)`,
  maxDailyUnits: sql`m.max_daily_units::float8`,
  maxDays: sql`m.max_days`,
  tracePrefixes: sql`coalesce((select json_agg(json_build_object('level', t.level, 'prefix', t.prefix)
    order by array_position(${[...contract.packLevels]}::text[], t.level), t.prefix)
    from medicine_trace_prefix t where t.product_id = product.id), '[]')`,
}

/** Products that are medicines, with what is known of them beside. Written by the commands of catalog. */
const reading: Reading = {
  entity: contract.medicine,
  table: 'product',
  among: sql<boolean>`product.medicine_class is not null and not product.is_unknown`,
  joins: () => sql`left join medicine m on m.product_id = product.id
    left join category on category.id = product.category_id`,
  shown: { ...productShown, ...shown },
  facts: (sight, _, language) => ({
    categoryName: sql`category.name`,
    dosageFormName: dosageFormIn(language, sql`m.dosage_form`, sql`owner.path`),
    slotCount: sql`(select count(*)::int from slot s
      where s.product_id = product.id and ${machineInSight(sight, sql`s.machine_id`)})`,
    stock: sql`(select coalesce(sum(l.quantity), 0)::int from slot s
      join stock_level l on l.place_id = s.place_id and l.product_id = s.product_id
      where s.product_id = product.id and ${machineInSight(sight, sql`s.machine_id`)})`,
  }),
  search: ['name', 'code', 'manufacturer', 'approvalNumber'],
  where: {
    // One set of ids and no `or`, so that each part is found by its own index.
    q: (value: string) => sql`id in (${foundAs(value)}
      union all select p.id from product p
        where p.medicine_class is not null and ${holdsAny([sql`p.manufacturer`], value)}
      union all select m.product_id from medicine m where ${holdsAny([sql`m.approval_number`], value)}
      union all select m.product_id from medicine m where m.ingredients @> ${[value.toLowerCase()]}::text[])`,
    code: (value: string) => sql`code = ${value}`,
    categoryId: (id: number) => sql`"categoryId" in (${withBelow(id)})`,
    conditionId: (id: number) =>
      sql`id in (select product_id from product_condition c where c.category_id in (${withBelow(id)}))`,
  },
  orders: { price: { by: sql`"priceFen"`, type: 'bigint' } },
}

export const listMedicines = (ctx: QueryContext, filter: InputOf<typeof contract.listMedicines>): Listing<Listed> =>
  listingOf(ctx, reading, filter) as unknown as Listing<Listed>

export const getMedicine = async (ctx: QueryContext, { id }: { id: number }) =>
  (await findOne(ctx, reading, id)) as OutputOf<typeof contract.getMedicine>

/** As it is known now. @returns null for what is no medicine */
export async function typedOf(db: Reader, id: number): Promise<MedicineTyped | null> {
  const found = await sql<MedicineTyped>`
    select ${sql.join(Object.entries(shown).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))}
    from product left join medicine m on m.product_id = product.id
    where product.id = ${id} and product.medicine_class is not null and not product.is_unknown`.execute(db)
  return found.rows[0] ?? null
}
