export { chargeCards, checkCards, creditCard } from './card.commands'
export { findCharges } from './card.store'
