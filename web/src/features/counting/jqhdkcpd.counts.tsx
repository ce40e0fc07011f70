import { openSlotCounts } from '@aisle/contract/counting/count'
import { listSlotStock } from '@aisle/contract/counting/lying'
import { countPage } from './countPage'
import { OpenMachine } from './openButtons'

/** Slot by slot; those that are ticked are counted. */
export default countPage({
  screen: 'kcpd/jqhdkcpd',
  list: listSlotStock,
  columns: [
    'slotCode',
    'machineCode',
    'productName',
    'stock',
    'capacity',
    'shortage',
    'batch',
    'expiresOn',
    'doubted',
    'lastCountedAt',
  ],
  hidden: ['productCode', 'pointName', 'routeName', 'hospitalName', 'merchantName', 'valueFen'],
  actions: OpenMachine,
  batch: [{ endpoint: openSlotCounts, verb: 'openSlotCounts' }],
})
