import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { dosageForms } from '../data/medicines'
import { medicineFacts } from '../data/prescriptions'
import type { DemoProduct } from '../network/catalogue'
import { randomFrom, seedOf } from '../random'

/** The longest that fits. */
const formOf = (name: string): string => {
  const fits = Object.keys(dosageForms).filter((each) => name.includes(each))
  return dosageForms[fits.sort((a, b) => b.length - a.length)[0] ?? ''] ?? ''
}

/** A trace code begins with its product's seven digits. */
export const tracePrefix = (code: string): string => `8${String(seedOf(code) % 1_000_000).padStart(6, '0')}`

/** Nobody has it without showing who they are; null for what anybody may have. */
export const limitOf = (name: string) => medicineFacts.find((each) => each.name === name)?.limitGroup ?? null

/** What is known of a medicine beyond its pack. */
export function knownOf({ code, name, specification }: DemoProduct) {
  const random = randomFrom(seedOf(`${code}/approval`))
  const found = medicineFacts.find((each) => each.name === name)
  const { maxDaily: maxDailyUnits = null, ingredients = [], notFor = [], maxDays, minAge, doseUnit } = found ?? {}
  const limitGroup = limitOf(name)
  return {
    maxDailyUnits,
    maxDays,
    minAge,
    doseUnit,
    limitGroup,
    ingredients: [...ingredients],
    notFor: [...notFor],
    approvalNumber: `国药准字${random.pick(['H', 'H', 'Z'])}${random.between(20_000_000, 22_399_999)}`,
    dosageForm: formOf(name),
    unitsPerPack: Number(/([0-9]+)[粒片袋支丸贴]/.exec(specification)?.[1] ?? 1),
    tracePrefixes: [{ level: 'pack' as const, prefix: tracePrefix(code) }],
  }
}

/** Good for two years from when they were made; of what is gone already some were called back. */
export async function seedBatches(tx: Tx, now: Date): Promise<void> {
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
