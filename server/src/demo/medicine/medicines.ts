import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { Tx } from '../../kernel/context'
import { ingredientPairs, medicineFacts } from '../data/prescriptions'

/** What of medicines prescriptions need. Comes after the shelves are filled. */
export async function seedMedicines(tx: Tx, now: Date): Promise<void> {
  const facts = medicineFacts.map((each) => ({
    ...each,
    ingredients: each.ingredients.join(),
    notFor: (each.notFor ?? []).join(),
    maxDaily: each.maxDaily ?? null,
    maxDays: each.maxDays ?? null,
    minAge: each.minAge ?? null,
  }))
  await sql`insert into medicine (product_id, approval_number, dosage_form, ingredients, dose_unit, units_per_pack,
      max_daily_units, max_days, min_age, not_for)
    select p.id, '国药准字' || case when p.id % 3 = 0 then 'Z' else 'H' end || (20000000 + p.id * 7919 % 2400000),
      coalesce(substring(p.name from '(缓释胶囊|肠溶胶囊|软胶囊|胶囊|缓释片|泡腾片|片|颗粒|口服液|糖浆|乳膏|软膏|滴眼液|喷雾|贴膏|丸|散)'), ''),
      coalesce(string_to_array(nullif(f.ingredients, ''), ','), '{}'), coalesce(f.dose_unit, ''),
      coalesce(substring(p.specification from '([0-9]+)[粒片袋支丸贴]')::int, 1), f.max_daily, f.max_days, f.min_age,
      coalesce(string_to_array(nullif(f.not_for, ''), ','), '{}')
    from product p left join ${rows('f', facts, {
      name: 'text',
      ingredients: 'text',
      doseUnit: 'text',
      maxDaily: 'int',
      maxDays: 'int',
      minAge: 'int',
      notFor: 'text',
    })} on f.name = p.name where p.kind = 'medicine'`.execute(tx)
  const pairs = ingredientPairs.map(([first, second]) => ({ first, second }))
  await tx.insertInto('ingredientPair').values(pairs).execute()
  await seedBatches(tx, now)
}

/** Good for two years from when they were made; of what is gone already some were called back. */
async function seedBatches(tx: Tx, now: Date): Promise<void> {
  await sql`insert into medicine_batch (product_id, number, produced_on, expires_on, changed_at)
    select m.product_id, m.batch, to_date(left(m.batch, 6), 'YYMMDD'), to_date(left(m.batch, 6), 'YYMMDD') + 730, ${now}
    from stock_move m join product p on p.id = m.product_id and p.kind = 'medicine'
    where m.batch is not null group by 1, 2`.execute(tx)
  await sql`update medicine_batch b set state = case n when 3 then 'locked' else 'recalled' end,
      reason = case n when 3 then '装量差异复检' else '生产企业主动召回' end
    from (select id, row_number() over (order by id) as n from medicine_batch b where not exists (
      select 1 from batch_level l where l.product_id = b.product_id and l.batch = b.number and l.quantity > 0)) gone
    where gone.id = b.id and gone.n <= 3`.execute(tx)
}
