import * as contract from '@aisle/contract/stock/outbound'
import { partsPage } from '../../shelf/partsPage'
import { CarriedList, OutboundList } from './outboundList'

/** For who keeps a warehouse and who fills machines, daily: what is to be picked, what is out, who has what. */
export default partsPage({
  screen: 'jxcgl/chd',
  words: 'stock',
  parts: [
    { key: 'outbound', access: contract.listOutboundOrders.access, page: OutboundList },
    { key: 'carried', access: contract.listCarriedGoods.access, page: CarriedList },
  ],
})
