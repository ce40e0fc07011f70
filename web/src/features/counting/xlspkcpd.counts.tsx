import { listRouteStock } from '@aisle/contract/counting/lying'
import { countPage } from './countPage'
import { OpenRoute } from './openButtons'

/** For who plans routes: what each route holds and lacks, and what was counted on it. */
export default countPage({
  screen: 'kcpd/xlspkcpd',
  list: listRouteStock,
  columns: [
    'routeName',
    'productName',
    'stock',
    'capacity',
    'shortage',
    'emptySlots',
    'slots',
    'valueFen',
    'lastCountedAt',
  ],
  hidden: ['productCode', 'machineCode', 'merchantName', 'batch', 'expiresOn', 'doubted'],
  actions: OpenRoute,
})
