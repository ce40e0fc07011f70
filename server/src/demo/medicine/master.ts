import { addCategory, listTree } from '@aisle/contract/catalog/category'
import { editProduct, getProduct } from '@aisle/contract/catalog/product'
import { addCombination } from '@aisle/contract/medicine/combination'
import { addIngredientPair } from '@aisle/contract/medicine/ingredientPair'
import { putLimit } from '@aisle/contract/medicine/limit'
import { addMedicineOffer, stopMedicineOffer } from '@aisle/contract/medicine/offer'
import { z } from 'zod'
import { ownerOf, PLATFORM } from '../data/merchants'
import { conditions, ingredientPairs, sets } from '../data/prescriptions'
import type { Past } from '../life/within'

/** Substances that must not meet, and a pharmacy that is stricter than the platform. */
export async function setRules({ as, idOf }: Past): Promise<void> {
  for (const [first, second] of ingredientPairs) await as('admin', addIngredientPair, { first, second })
  const strict = { limitGroup: 'ephedrine' as const, packs: 1, days: 30 }
  await as('admin', putLimit, { ...strict, merchantId: idOf('merchant', ownerOf('east', 'pharmacy')) })
}

/** What patients suffer from, with the medicines for it, and sets that are sold together. */
export async function sortMedicines({ as, idOf }: Past): Promise<void> {
  const merchantId = idOf('merchant', PLATFORM)
  const add = (tree: 'condition' | 'combination', name: string, parentId: number | null = null) =>
    as('admin', addCategory, { merchantId, tree, parentId, name })
  for (const { name, below, medicines } of conditions) {
    const { id } = await add('condition', name)
    for (const each of below) await add('condition', each, id)
    for (const code of medicines) {
      const known = await as('admin', getProduct, { id: idOf('product', code) })
      await as('admin', editProduct, { ...z.object(editProduct.input.shape).parse(known), conditionIds: [id] })
    }
  }
  for (const name of ['家庭药箱', '旅行常备']) await add('combination', name)
}

/** Sets at a price of their own, and what one pharmacy makes of the platform's medicines. */
export async function offerMedicines({ as, idOf }: Past): Promise<void> {
  const merchantId = idOf('merchant', PLATFORM)
  const { items: categories } = await as('admin', listTree, { tree: 'combination' })
  for (const { category, codes, ...set } of sets) {
    const categoryId = categories.find(({ name }) => name === category)?.id ?? null
    const items = codes.map((code) => ({ productId: idOf('product', code), quantity: 1 }))
    await as('admin', addCombination, { ...set, merchantId, categoryId, items })
  }
  const pharmacy = idOf('merchant', ownerOf('east', 'pharmacy'))
  const offer = (code: string, priceFen: number | null) =>
    as('admin', addMedicineOffer, { merchantId: pharmacy, productId: idOf('product', code), priceFen })
  await offer('RC001', 1480)
  await offer('RF001', 1280)
  const { id } = await offer('RF003', null)
  await as('admin', stopMedicineOffer, { id })
}

/** Of a machine that holds all of it. */
export const offeredSets = (held: readonly (string | null)[]): string[][] =>
  sets.map(({ codes }) => codes).filter((codes) => codes.every((code) => held.includes(code)))
