import { stateTable } from '../kernel/states'

/** A play, drawn when it is paid; a win that the machine can't hand out is claimed from a person. */
export const playState = stateTable({
  initial: 'opened',
  states: ['opened', 'won', 'lost', 'void'],
  moves: {
    win: { from: ['opened'], to: 'won' },
    lose: { from: ['opened'], to: 'lost' },
    /** Never paid. */
    drop: { from: ['opened'], to: 'void' },
  },
  sets: { drawn: ['won', 'lost'] },
})

/** Where a prize is that was won. */
export const prizeState = stateTable({
  initial: 'none',
  states: ['none', 'shipping', 'dispensed', 'owed', 'collected'],
  moves: {
    ship: { from: ['none'], to: 'shipping' },
    /** Also when the machine's word came after it had been given up. */
    dispense: { from: ['shipping', 'owed'], to: 'dispensed' },
    owe: { from: ['shipping'], to: 'owed' },
    collect: { from: ['owed'], to: 'collected' },
  },
  sets: { given: ['dispensed', 'collected'] },
})

/** Spec §4, review: a claim to collect a prize at the counter. */
export const claimState = stateTable({
  initial: 'pending',
  states: ['pending', 'passed', 'rejected'],
  moves: { pass: { from: ['pending'], to: 'passed' }, reject: { from: ['pending'], to: 'rejected' } },
})
export type PrizeState = (typeof prizeState.states)[number]
export type ClaimState = (typeof claimState.states)[number]
