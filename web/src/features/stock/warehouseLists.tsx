import * as contract from '@aisle/contract/stock/warehouse'
import { listPage } from '../../admin/listPage'
import { useEndpoint } from '../../live/query'
import { Figures } from '../../ui/facts'
import { countText } from '../../admin/fields/number'
import { Money } from '../../ui/money'
import { useText } from '../../ui/text'
import { WarehouseDrawer } from './warehouseDrawer'
import { warehouses } from './warehouseRecord'

export const WarehouseList = listPage({
  screen: 'jxcgl/ccgl',
  part: 'warehouses',
  ...warehouses.page({
    columns: [
      'name',
      'state',
      'storage',
      'pieces',
      'productCount',
      'valueFen',
      'coming',
      'lastC',
      'isExcursion',
      'keeperName',
      'merchantName',
    ],
    sortable: { valueFen: 'value' },
    filters: ['q', 'storage', 'state'],
    moreFilters: ['merchantId'],
    summary: Summary,
    drawer: WarehouseDrawer,
  }),
})

function Summary() {
  const t = useText('stock')
  const { data } = useEndpoint(contract.summariseWarehouses, {}, { errors: 'silent' })
  if (!data) return null
  return (
    <Figures
      facts={[
        { label: t('summary.valueFen'), value: <Money fen={data.valueFen} /> },
        { label: t('summary.onWayFen'), value: <Money fen={data.onWayFen} /> },
        { label: t('summary.excursions'), value: countText(data.excursions) },
      ]}
    />
  )
}

export const LyingList = listPage({
  screen: 'jxcgl/ccgl',
  part: 'stock',
  list: contract.listWarehouseStock,
  fields: contract.lyingFields,
  words: 'stock',
  columns: [
    'productName',
    'batch',
    'expiresOn',
    'quantity',
    'valueFen',
    'warehouseName',
    'specification',
    'productCode',
    'merchantName',
  ],
  hidden: ['merchantName'],
  filters: ['q'],
  moreFilters: ['merchantId'],
  sums: ({ quantity, valueFen }) => ({ quantity, valueFen }),
  live: { kinds: ['transfer', 'goodsReceipt', 'writeOff'], also: [] },
})

export const MoveList = listPage({
  screen: 'jxcgl/ccgl',
  part: 'moves',
  list: contract.listWarehouseMoves,
  fields: contract.movedFields,
  words: 'stock',
  columns: [
    'productName',
    'cause',
    'quantity',
    'costFen',
    'batch',
    'warehouseName',
    'otherName',
    'movedAt',
    'reference',
    'by',
    'productCode',
  ],
  hidden: ['productCode'],
  filters: ['q', 'cause'],
  moreFilters: ['merchantId'],
  sums: ({ quantity, costFen }) => ({ quantity, costFen }),
  live: { kinds: ['transfer', 'goodsReceipt', 'writeOff'], also: [] },
})
