export { countWaitingApplications } from './cardApplication.reads'
export { chargeCards, type CheckedCard, checkCards, creditCard } from './card.commands'
export { findCharges } from './card.store'
export { type Buyer, findBuyers } from './buyer.reads'
