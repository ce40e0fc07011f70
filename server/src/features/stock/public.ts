export { countContents, takeOutContents } from './count.commands'
export { type Counted, holdCounted, noteCounted } from './counted.store'
export { nextNo } from './documentNo'
export { beginService, endService } from './bag.store'
export { add as draftOutbound, cancel as cancelOutbound } from './outbound/outbound.commands'
export { carriedBy } from './outbound/outbound.reads'
export { bagOf } from './outbound/outbound.store'
export { takeFills } from './fill.commands'
export { pullOut } from './pull.commands'
export { PUSH_AFTER_SERVICE } from './nextPlan.commands'
export {
  findProducts,
  findSlots,
  openUnknownProducts,
  productKey,
  type ProductRef,
  type SlotRef,
  slotKey,
} from './slot.lookup'
export { writeOffPieces } from './writeOff.commands'
export { countWaitingWriteOffs } from './writeOff.reads'
export { holdGoods, refuseLess } from './goods.store'
export { holdWarehouse, refuseStorage } from './warehouse'
export { endStockOuts, FREE_SLOTS, type Move, outsidePlaces, recordMoves } from './stock.store'
