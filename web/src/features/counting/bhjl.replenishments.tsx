import { replenishmentFields, listReplenishments } from '@aisle/contract/counting/replenishment'
import { listPage } from '../../admin/listPage'

/** For managers, daily: who put what into which slot and when, and where a machine's count does not come out. */
export default listPage({
  screen: 'kcpd/bhjl',
  list: listReplenishments,
  fields: replenishmentFields,
  words: 'counting',
  columns: [
    'at',
    'machineCode',
    'slotCode',
    'productName',
    'before',
    'added',
    'after',
    'gap',
    'batch',
    'expiresOn',
    'source',
    'replenisher',
    'doorOpenedAt',
    'doorClosedAt',
    'pointName',
    'fromName',
    'machineName',
    'productCode',
    'merchantName',
  ],
  hidden: ['pointName', 'fromName', 'machineName', 'productCode', 'merchantName'],
  filters: ['q', 'product', 'period'],
  moreFilters: ['source', 'batch', 'replenisher', 'machineCode', 'merchantId'],
  presets: [{ name: 'gaps', query: () => ({ gap: 'yes' }) }],
  sums: ({ added }) => ({ added }),
  live: { topic: 'machines', also: [] },
})
