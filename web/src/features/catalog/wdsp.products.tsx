import * as contract from '@aisle/contract/catalog/product'
import { offerProducts } from '@aisle/contract/catalog/library'
import { productState } from '@aisle/contract/catalog/states'
import { screenOf } from '@aisle/contract/screens'
import { useState } from 'react'
import type { z } from 'zod'
import { AppLink } from '../../admin/appLink'
import type { BatchVerb } from '../../admin/batch'
import { CategoryFilter, ConditionFilter } from '../../shelf/categoryFilter'
import { listPage } from '../../admin/listPage'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { ProductDrawer } from './productDrawer'
import { ProductImport } from './productImport'
import { products } from './products'

type Row = z.output<typeof contract.product.item>
const { takeOffline, relist } = contract
const batch = (
  [
    ['takeOffline', takeOffline],
    ['relist', relist],
  ] as const
).map(
  ([verb, endpoint]): BatchVerb<Row> => ({
    endpoint,
    verb,
    tone: verb === 'relist' ? 'main' : 'danger',
    can: ({ state }) => productState.can(state, verb),
  }),
)

/** Prices are changed where each slot is seen before. */
const priceSearch = (rows: readonly Row[]) => ({ part: 'prices', products: rows.map(({ id }) => id).join(',') })

/**
 * For merchandisers, all day: is it there, what does it cost, is it still sold, and where. Found by what stands on the
 * pack or by how it sounds.
 */
export default listPage({
  screen: 'spgl/wdsp',
  ...products.page({
    columns: [
      'name',
      'picture',
      'code',
      'specification',
      'categoryName',
      'priceFen',
      'costFen',
      'stock',
      'slotCount',
      'state',
      'merchantName',
    ],
    filters: ['q', 'categoryId', 'state'],
    moreFilters: ['kind', 'conditionId', 'brand', 'merchantId'],
    filterInputs: { categoryId: CategoryFilter, conditionId: ConditionFilter },
    batch: [...batch, { endpoint: offerProducts, verb: 'offerProducts' }],
    leads: [{ verb: 'changePrices', screen: 'shj/hdgl', search: priceSearch }],
    drawer: ProductDrawer,
  }),
  actions: ProductActions,
})

function ProductActions() {
  const t = useText('catalog')
  const [isImporting, setImporting] = useState(false)
  const { path, access } = screenOf('spgl/xzsp')
  if (!can(access)) return null
  return (
    <>
      <button type="button" className="btn" onClick={() => setImporting(true)}>
        {t('import')}
      </button>
      <AppLink path={path} className="btn btn-main">
        {t('product.add')}
      </AppLink>
      {isImporting && <ProductImport onClose={() => setImporting(false)} />}
    </>
  )
}
