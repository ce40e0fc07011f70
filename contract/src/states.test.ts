import { expect, test } from 'vitest'
import { type StateTable, stateTable } from './kernel/states'
import { cardState } from './member/card'
import { paymentAccountState, paymentAttemptState } from './payment/states'
import { prescriptionState } from './pharmacy/states'
import { pickupCodeState } from './pickup/states'
import { refundState, waitingStates } from './refund/states'
import { differenceState, runState } from './settlement/states'
import { itemState, NO_ANSWER_AFTER_MS, orderState, paymentState, shipState } from './trade/states'

/** By state, whatever the verb; what nothing follows is an end. */
const following = <S extends string, V extends string>({ moves, states, can, to }: StateTable<S, V>) =>
  Object.fromEntries(
    states.map((state): [S, string] => {
      const verbs = (Object.keys(moves) as V[]).filter((verb) => can(state, verb))
      return [state, verbs.map(to).sort().join(' ')]
    }),
  )
const ends = <S extends string, V extends string>(table: StateTable<S, V>): string[] =>
  Object.entries(following(table)).flatMap(([state, next]) => (next === '' ? [state] : []))

const becoming = <S extends string, V extends string>(
  name: string,
  table: StateTable<S, V>,
  drawn: Record<S, string>,
) => ({
  name,
  drawn,
  found: () => following(table),
  unreachable: () => table.unreachable(),
})

/** The states of specification §4 as they are drawn: from each, all that may come of it. */
test.each([
  becoming('an order', orderState, {
    open: 'closed done',
    done: '',
    closed: '',
  }),
  becoming('a payment', paymentState, {
    unpaid: 'closed paid',
    paid: 'refunding',
    refunding: 'paid partly_refunded refunded',
    refunded: '',
    partly_refunded: 'refunding',
    closed: 'paid',
  }),
  becoming('a shipment', shipState, {
    in_transit: 'completed invalid lottery_lost lottery_won timeout',
    completed: '',
    timeout: 'completed',
    invalid: 'completed',
    lottery_won: '',
    lottery_lost: '',
  }),
  becoming('a piece', itemState, {
    waiting: 'dispensed failed jammed no_answer',
    dispensed: '',
    jammed: 'dispensed no_answer',
    failed: 'dispensed no_answer',
    // It came out late, or a person handed it out.
    no_answer: 'dispensed dispensed failed jammed no_answer',
  }),
  becoming('a refund', refundState, {
    pending_review: 'needs_handling refunding rejected',
    refunding: 'failed needs_handling refunded unknown',
    unknown: 'failed needs_handling refunded refunding',
    refunded: '',
    failed: 'needs_handling paid_back refunded refunding',
    needs_handling: 'paid_back refunded refunding rejected',
    rejected: '',
    paid_back: '',
  }),
  becoming('an account of payment', paymentAccountState, {
    preparing: 'activated',
    activated: 'stopped',
    stopped: '',
  }),
  becoming('an attempt to take money', paymentAttemptState, {
    created: 'closed failed paid unknown waiting',
    waiting: 'closed paid unknown waiting',
    unknown: 'closed failed paid waiting',
    paid: '',
    closed: 'paid',
    failed: 'paid',
  }),
  becoming('a channel’s day', runState, {
    waiting: 'matched',
    matched: 'closed closing matched',
    closing: 'closed matched',
    closed: '',
  }),
  becoming('a difference', differenceState, {
    next_day: 'open resolved',
    open: 'asking decided proposed resolved',
    asking: 'decided proposed resolved',
    proposed: 'decided open resolved',
    decided: 'open',
    resolved: '',
  }),
  becoming('a pick-up code', pickupCodeState, {
    unused: 'cancelled expired fully_shipped in_use invalid logged_out partly_shipped',
    in_use: 'fully_shipped partly_shipped unused',
    partly_shipped: 'cancelled expired fully_shipped in_use invalid logged_out partly_shipped used',
    fully_shipped: '',
    used: '',
    expired: '',
    cancelled: '',
    invalid: 'cancelled expired logged_out partly_shipped unused',
    logged_out: '',
  }),
  becoming('a card', cardState, {
    not_activated: 'active cancelling',
    active: 'cancelled cancelling locked lost',
    locked: 'active cancelled cancelling lost',
    lost: 'active cancelled cancelling',
    cancelling: 'cancelled locked',
    cancelled: '',
  }),
  becoming('a prescription', prescriptionState, {
    draft: 'cancelled expired submitted',
    submitted: 'approved cancelled expired rejected',
    approved: 'cancelled dispensed expired',
    rejected: 'cancelled expired submitted',
    dispensed: '',
    expired: '',
    cancelled: '',
  }),
])('what may come of $name', ({ found, drawn, unreachable }) => {
  expect(found()).toEqual(drawn)
  // What the bill of a day lacks waits for that of the next before it is a difference.
  expect(unreachable().filter((state) => state !== 'next_day')).toEqual([])
})

test('a state that no way leads to is found, however long the ways are and whichever is named first', () => {
  const states = ['in', 'between', 'out', 'lost', 'found'] as const
  const moves = {
    leave: { from: ['between'], to: 'out' },
    enter: { from: ['in'], to: 'between' },
    find: { from: ['lost'], to: 'found' },
  } as const
  const table = stateTable({ initial: 'in', states, moves })
  expect(table.unreachable()).toEqual(['lost', 'found'])
  expect([table.from('leave'), table.to('leave')]).toEqual([['between'], 'out'])
  expect([table.can('between', 'leave'), table.can('in', 'leave')]).toEqual([true, false])
})

test('it is asked whether something is in a state or in a set of states that has a name', () => {
  const moves = { enter: { from: ['in'], to: 'between' }, leave: { from: ['between'], to: 'out' } } as const
  const table = stateTable({
    initial: 'in',
    states: ['in', 'between', 'out'],
    moves,
    sets: { here: ['in', 'between'] },
  })
  expect([table.is('in', 'here'), table.is('in', 'in'), table.is('in', 'out')]).toEqual([true, true, false])
  expect([table.is('out', 'here'), table.is(undefined, 'here'), table.is(null, 'in')]).toEqual([false, false, false])
})

test('as long as it is no end, somebody has to act on a refund', () => {
  expect([...waitingStates, ...ends(refundState)].sort()).toEqual([...refundState.states].sort())
})

test('as long as it is no end, a code may give something yet', () => {
  expect(pickupCodeState.states.filter((state) => !pickupCodeState.is(state, 'living'))).toEqual(ends(pickupCodeState))
})

test('a difference is settled once it was decided or has gone', () => {
  expect(differenceState.sets.settled).toEqual(['decided', 'resolved'])
})

test('a machine has five minutes to answer, and a customer as many to pay (specification §9)', () => {
  expect(NO_ANSWER_AFTER_MS).toBe(300_000)
})
