import { addBatch } from '@aisle/contract/medicine/batch'
import { sql } from 'kysely'
import { dosageForms } from '../data/medicines'
import { medicineFacts } from '../data/prescriptions'
import type { Past } from '../life/within'
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

/** Of all that was put into machines: the day on which it was made stands in its number. */
export async function addBatches({ as, tx }: Past): Promise<void> {
  const found = await sql<{ productId: number; number: string }>`select product_id as "productId", batch as number
    from stock_move m join product p on p.id = m.product_id and p.kind = 'medicine'
    where batch is not null group by 1, 2 order by 1, 2`.execute(tx)
  for (const { productId, number } of found.rows) {
    const producedOn = `20${number.slice(0, 6)}`.replace(/(....)(..)(..)/, '$1-$2-$3')
    await as('admin', addBatch, { productId, number, producedOn })
  }
}
