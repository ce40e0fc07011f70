import { listMedicineSales, medicineSalesFields } from '@aisle/contract/report/goods'
import { listPage } from '../../admin/listPage'
import { MedicineSummary } from './goodsSummary'

/** For a pharmacist who answers for what went out: which medicine, which batch, which class, at which hospital. */
export default listPage({
  screen: 'jygl/ypxstj',
  list: listMedicineSales,
  fields: medicineSalesFields,
  words: 'report',
  columns: ['name', 'code', 'medicineClass', 'quantity', 'paidFen', 'costFen', 'marginFen', 'changeFen', 'beforeFen'],
  hidden: ['beforeFen'],
  sortable: { quantity: 'quantity', paidFen: 'paid', marginFen: 'margin', changeFen: 'change' },
  filters: ['period', 'productCode', 'batch'],
  moreFilters: ['medicineClass', 'machineCode', 'merchantId'],
  summary: MedicineSummary,
  sums: ({ paidFen, costFen, marginFen }) => ({ paidFen, costFen, marginFen }),
})
