import { listSupplierReturns } from '@aisle/contract/purchase/supplierReturn'
import { listWriteOffs } from '@aisle/contract/stock/writeOff'
import { partsPage } from '../../shelf/partsPage'
import { ReturnList } from './returnList'
import { WriteOffList } from './writeOffList'

/** For who keeps goods: what was lost, and what goes back to the supplier it came from. */
export default partsPage({
  screen: 'jxcgl/bs',
  words: 'purchase',
  parts: [
    { key: 'writeOffs', access: listWriteOffs.access, page: WriteOffList },
    { key: 'returns', access: listSupplierReturns.access, page: ReturnList },
  ],
})
