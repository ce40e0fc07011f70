import { addCategory } from '@aisle/contract/catalog/category'
import { editProduct, getProduct } from '@aisle/contract/catalog/product'
import { z } from 'zod'
import { type Ids, idOf } from '../people/people'
import { PLATFORM } from '../data/merchants'
import type { Past } from '../life/within'

const conditions = [
  { name: '感冒发热', below: ['发烧头痛', '咳嗽有痰'], medicines: ['RA001', 'RB001', 'RC001', 'RC002', 'RD001'] },
  { name: '肠胃不适', below: [], medicines: [] },
  { name: '日常保健', below: [], medicines: ['RB002', 'RB003', 'RA003'] },
]

/** What patients suffer from, with the medicines for it, and sets that are sold together. */
export async function sortMedicines(past: Past, { merchants, products }: { merchants: Ids; products: Ids }) {
  const merchantId = idOf(merchants, PLATFORM)
  const add = (tree: 'condition' | 'combination', name: string, parentId: number | null = null) =>
    past.as('admin', addCategory, { merchantId, tree, parentId, name })
  for (const { name, below, medicines } of conditions) {
    const { id } = await add('condition', name)
    for (const each of below) await add('condition', each, id)
    for (const code of medicines) {
      const known = await past.as('admin', getProduct, { id: idOf(products, code) })
      await past.as('admin', editProduct, { ...z.object(editProduct.input.shape).parse(known), conditionIds: [id] })
    }
  }
  for (const name of ['家庭药箱', '旅行常备']) await add('combination', name)
}
