export { add as addPriceChange, apply as applyPriceChange, takeBack } from './priceChange/change.commands'
export { save as saveSlots } from './slot.commands'
export { editLine } from './template.commands'
export { templateOfSlot } from './template.store'
