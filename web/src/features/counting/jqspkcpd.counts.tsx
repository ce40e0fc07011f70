import { listMachineStock } from '@aisle/contract/counting/lying'
import { countPage } from './countPage'
import { OpenMachine } from './openButtons'

/** For managers and fillers: what each machine holds by product, and its counts. */
export default countPage({
  screen: 'kcpd/jqspkcpd',
  list: listMachineStock,
  columns: [
    'machineCode',
    'productName',
    'stock',
    'capacity',
    'shortage',
    'emptySlots',
    'slots',
    'valueFen',
    'lastCountedAt',
  ],
  hidden: ['productCode', 'pointName', 'routeName', 'hospitalName', 'merchantName', 'batch', 'expiresOn', 'doubted'],
  actions: OpenMachine,
})
