export { countContents, takeOutContents } from './count.commands'
export { takeFills } from './fill.commands'
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
export { endStockOuts, type Move, outsidePlaces, recordMoves } from './stock.store'
