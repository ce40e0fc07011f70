import { listHospitalStock } from '@aisle/contract/counting/lying'
import { countPage } from './countPage'
import { OpenHospital } from './openButtons'

/** For a hospital's pharmacist: what its machines hold, and which batch of it ends first. */
export default countPage({
  screen: 'kcpd/yyspkcpd',
  list: listHospitalStock,
  columns: [
    'hospitalName',
    'productName',
    'stock',
    'batch',
    'expiresOn',
    'shortage',
    'emptySlots',
    'valueFen',
    'lastCountedAt',
  ],
  hidden: ['productCode', 'machineCode', 'capacity', 'slots', 'merchantName', 'doubted'],
  actions: OpenHospital,
})
