import { listPage } from '../../admin/listPage'
import { suppliers } from './supplierRecord'
import { SupplierDrawer } from './supplierDrawer'

/** For buyers: whom goods come from, whether anything may be ordered there, and which paper ends next. */
export default listPage({
  screen: 'jxcgl/wdgys',
  ...suppliers.page({
    columns: [
      'name',
      'state',
      'missing',
      'nextEnd',
      'deliversMedicine',
      'productCount',
      'contact',
      'phone',
      'termsDays',
      'merchantName',
    ],
    filters: ['q', 'state'],
    moreFilters: ['deliversMedicine', 'merchantId'],
    presets: [
      { name: 'suspended', query: () => ({ state: 'suspended' }) },
      { name: 'review', query: () => ({ state: 'review' }) },
    ],
    drawer: SupplierDrawer,
  }),
})
