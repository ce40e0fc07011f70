import { listTransfers } from '@aisle/contract/stock/transfer'
import { listWarehouseMoves, listWarehouses, listWarehouseStock } from '@aisle/contract/stock/warehouse'
import { partsPage } from '../../shelf/partsPage'
import { TransferList } from './transferList'
import { LyingList, MoveList, WarehouseList } from './warehouseLists'

/** For who keeps a warehouse, all day: what lies where, at what cost, what came and went, and what is on its way. */
export default partsPage({
  screen: 'jxcgl/ccgl',
  words: 'stock',
  parts: [
    { key: 'warehouses', access: listWarehouses.access, page: WarehouseList },
    { key: 'stock', access: listWarehouseStock.access, page: LyingList },
    { key: 'moves', access: listWarehouseMoves.access, page: MoveList },
    { key: 'transfers', access: listTransfers.access, page: TransferList },
  ],
})
