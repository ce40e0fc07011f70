export { shownFen, struckFen } from './cut.reads'
export { PUSH_PRICES } from './offer.settle'
export { holdRooms, noteUses, priceAsks, type Quotation, settleUses } from './price.commands'
export type { PricedItem, PriceStep } from './price.rules'
