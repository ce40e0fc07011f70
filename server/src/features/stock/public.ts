export { type Contents, countContents, type Counted, takeOutContents } from './count.commands'
export { takeFills } from './fill.commands'
export { findProductIds, findSlots, type SlotRef, slotKey } from './slot.lookup'
export { type Move, outsidePlaces, recordMoves } from './stock.store'
