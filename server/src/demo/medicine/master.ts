import { listTree } from '@aisle/contract/catalog/category'
import { addCombination } from '@aisle/contract/medicine/combination'
import { addIngredientPair } from '@aisle/contract/medicine/ingredientPair'
import { putLimit } from '@aisle/contract/medicine/limit'
import { addMedicineOffer, stopMedicineOffer } from '@aisle/contract/medicine/offer'
import { ownerOf, PLATFORM } from '../data/merchants'
import { ingredientPairs } from '../data/prescriptions'
import type { Past } from '../life/within'
import { type Ids, idOf } from '../people/people'

const sets = [
  { name: '感冒常备', category: '家庭药箱', codes: ['RC001', 'RB002'], priceFen: 2280, note: '多饮水，注意休息' },
  { name: '肠胃旅行', category: '旅行常备', codes: ['RG001', 'RG002'], priceFen: 3280, note: '腹泻时先补液' },
  { name: '退热止咳', category: '家庭药箱', codes: ['RA001', 'RD001'], priceFen: 3780, note: '退热药间隔 6 小时以上' },
]

type All = { merchants: Ids; products: Ids }

/** Substances that must not meet, and a pharmacy that is stricter than the platform. */
export async function setRules(past: Past, merchants: Ids): Promise<void> {
  for (const [first, second] of ingredientPairs) await past.as('admin', addIngredientPair, { first, second })
  const strict = { limitGroup: 'ephedrine' as const, packs: 1, days: 30 }
  await past.as('admin', putLimit, { ...strict, merchantId: idOf(merchants, ownerOf('east', 'pharmacy')) })
}

/** Sets at a price of their own, and what one pharmacy makes of the platform's medicines. */
export async function offerMedicines(past: Past, { merchants, products }: All): Promise<void> {
  const merchantId = idOf(merchants, PLATFORM)
  const { items: categories } = await past.as('admin', listTree, { tree: 'combination' })
  for (const { category, codes, ...set } of sets) {
    const categoryId = categories.find(({ name }) => name === category)?.id ?? null
    const items = codes.map((code) => ({ productId: idOf(products, code), quantity: 1 }))
    await past.as('admin', addCombination, { ...set, merchantId, categoryId, items })
  }
  const pharmacy = idOf(merchants, ownerOf('east', 'pharmacy'))
  const offer = (code: string, priceFen: number | null) =>
    past.as('admin', addMedicineOffer, { merchantId: pharmacy, productId: idOf(products, code), priceFen })
  await offer('RC001', 1480)
  await offer('RF001', 1280)
  const { id } = await offer('RF003', null)
  await past.as('admin', stopMedicineOffer, { id })
}

/** Of a machine that holds all of it. */
export const offeredSets = (held: readonly (string | null)[]): string[][] =>
  sets.map(({ codes }) => codes).filter((codes) => codes.every((code) => held.includes(code)))
