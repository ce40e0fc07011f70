import { stateTable } from '../kernel/states'

/** Spec §4, pick-up code (domain rules, section 3). */
export const pickupCodeState = stateTable({
  initial: 'unused',
  states: [
    'unused',
    'in_use',
    'partly_shipped',
    'fully_shipped',
    'used',
    'expired',
    'cancelled',
    'invalid',
    'logged_out',
  ],
  moves: {
    /** A machine holds it while it ships; two machines never hold the same one. */
    hold: { from: ['unused', 'partly_shipped'], to: 'in_use' },
    /** Nothing came out. */
    giveBack: { from: ['in_use'], to: 'unused' },
    /** Also what came out after the code had been given back. */
    shipPart: { from: ['in_use', 'unused', 'partly_shipped'], to: 'partly_shipped' },
    shipAll: { from: ['in_use', 'unused', 'partly_shipped'], to: 'fully_shipped' },
    /** Its last pick-up is done though something never came out: made good otherwise, as a person says. */
    useUp: { from: ['partly_shipped'], to: 'used' },
    expire: { from: ['unused', 'partly_shipped', 'invalid'], to: 'expired' },
    cancel: { from: ['unused', 'partly_shipped', 'invalid'], to: 'cancelled' },
    /** Its machine or product is gone. */
    invalidate: { from: ['unused', 'partly_shipped'], to: 'invalid' },
    /** Machine and product are there again. */
    revive: { from: ['invalid'], to: 'unused' },
    reviveRest: { from: ['invalid'], to: 'partly_shipped' },
    /** Taken back by whoever gave it out. */
    logOut: { from: ['unused', 'partly_shipped', 'invalid'], to: 'logged_out' },
  },
  sets: {
    /** Codes that give something, are about to, or may again. */
    living: ['unused', 'in_use', 'partly_shipped', 'invalid'],
    good: ['unused', 'in_use', 'partly_shipped'],
  },
})
export type PickupCodeState = (typeof pickupCodeState.states)[number]

/** Spec §5: an unset expiry is half a year. */
export const PICKUP_CODE_MONTHS = 6
