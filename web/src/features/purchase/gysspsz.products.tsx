import * as contract from '@aisle/contract/purchase/supplierProduct'
import { Day } from '../../admin/fields/time'
import { listPage } from '../../admin/listPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { Section } from '../../ui/feedback/drawer'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { ProductInput, SupplierInput } from './inputs'
import { PricesInput } from './pricesInput'
import lined from '../../shelf/lines.module.css'

const products = record({
  of: contract.supplierProduct,
  list: contract.listSupplierProducts,
  get: contract.getSupplierProduct,
  add: contract.addSupplierProduct,
  edit: contract.editSupplierProduct,
  moves: { stop: contract.stopSupplierProduct, resume: contract.resumeSupplierProduct },
  remove: contract.removeSupplierProduct,
  inputs: { supplierId: SupplierInput, productId: ProductInput, prices: PricesInput },
})

/** For buyers: who delivers what, in which packs, how fast, and what a piece comes to today. */
export default listPage({
  screen: 'jxcgl/gysspsz',
  ...products.page({
    columns: [
      'productName',
      'supplierName',
      'supplierState',
      'state',
      'packUnits',
      'packFen',
      'pieceFen',
      'minimumPacks',
      'leadDays',
      'preference',
      'taxPermille',
      'productCode',
      'specification',
    ],
    sortable: { productName: 'product', pieceFen: 'cheapest' },
    filters: ['q', 'state'],
    moreFilters: ['merchantId'],
    drawer: ProductDrawer,
  }),
})

function ProductDrawer({ id }: DrawerRow) {
  const t = useText('purchase')
  return (
    <products.Drawer id={id} title={({ productName }) => productName} tags={['state', 'supplierState']}>
      {(product) => (
        <>
          <Section title={t('part.prices')}>
            <ul className={lined.lines}>
              {product.prices.map(({ fromOn, toOn, fromPacks, priceFen }) => (
                <li key={`${fromOn}/${fromPacks}`}>
                  <span className={lined.what}>
                    {t('prices.row', { from: fromOn, packs: fromPacks })}
                    {toOn && (
                      <small className="quiet">
                        <Day on={toOn} />
                      </small>
                    )}
                  </span>
                  <Money fen={priceFen} />
                </li>
              ))}
            </ul>
          </Section>
          <products.Known
            row={product}
            without={['productName', 'state', 'supplierState', 'supplierId', 'productId', 'prices']}
          />
        </>
      )}
    </products.Drawer>
  )
}
