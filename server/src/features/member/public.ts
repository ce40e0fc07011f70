export { chargeCards, type CheckedCard, checkCards, creditCard } from './card.commands'
export { findCharges } from './card.store'
