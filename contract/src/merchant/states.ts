import { onOff } from '../kernel/states'

/** A stopped merchant's users are out; whether its machines sell on is said with the stopping. */
export const merchantState = onOff
export type MerchantState = (typeof merchantState.states)[number]
