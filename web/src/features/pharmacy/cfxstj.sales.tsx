import { getPrescriptionSales, listPrescriptionSales, prescriptionSaleFields } from '@aisle/contract/pharmacy/sales'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { SaleDrawer } from './saleDrawer'
import { SalesSummary } from './salesSummary'

/** For whoever runs a pharmacy, each month: whose prescriptions sell what, and how whole the figures are. */
export default listPage({
  screen: 'jygl/cfxstj',
  list: listPrescriptionSales,
  fields: prescriptionSaleFields,
  words: 'pharmacy',
  columns: ['name', 'note', 'orders', 'packs', 'soldFen', 'sharePercent'],
  filters: ['by', 'period', 'merchantId'],
  presets: [
    { name: 'byDoctor', query: () => ({ by: 'doctor' }) },
    { name: 'byHospital', query: () => ({ by: 'hospital' }) },
    { name: 'byMedicine', query: () => ({ by: 'medicine' }) },
    { name: 'byDay', query: (today) => ({ by: 'day', ...dayPresets.currentMonth(today) }) },
  ],
  summary: SalesSummary,
  sums: ({ soldFen }) => ({ soldFen }),
  drawer: SaleDrawer,
  live: { kinds: ['prescription'], also: [getPrescriptionSales] as const },
})
