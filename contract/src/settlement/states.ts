import { stateTable } from '../kernel/states'

/** One channel's day: its bill comes, it is matched, and it is closed once every difference is decided. */
export const runState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'matched', 'closing', 'closed'],
  moves: {
    match: { from: ['waiting', 'matched'], to: 'matched' },
    askClose: { from: ['matched'], to: 'closing' },
    refuseClose: { from: ['closing'], to: 'matched' },
    close: { from: ['closing'], to: 'closed' },
    /** By itself, where nothing differs. */
    closeClean: { from: ['matched'], to: 'closed' },
  },
})
export type RunState = (typeof runState.states)[number]

export const lights = ['none', 'red', 'amber', 'green'] as const
export type Light = (typeof lights)[number]

/** What a day looks like from afar: no bill yet, undecided, waiting for the next day or a second person, in order. */
export function lightOf(run: { state: RunState; openCount: number; waitingCount: number }): Light {
  if (run.state === 'waiting') return 'none'
  if (run.openCount > 0) return 'red'
  return run.waitingCount > 0 || run.state === 'closing' ? 'amber' : 'green'
}

/** What may differ between us and a channel's bill (docs/decisions/0022). */
export const differenceKinds = [
  'only_ours',
  'only_theirs',
  'amount_differs',
  'refund_only_ours',
  'refund_only_theirs',
  'refund_differs',
  'fee_differs',
  'balance_differs',
  'payout_missing',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export const differenceState = stateTable({
  initial: 'open',
  states: ['next_day', 'open', 'asking', 'proposed', 'decided', 'resolved'],
  moves: {
    /** The bill of the next day has not brought it either. */
    age: { from: ['next_day'], to: 'open' },
    askChannel: { from: ['open'], to: 'asking' },
    propose: { from: ['open', 'asking'], to: 'proposed' },
    refuse: { from: ['proposed'], to: 'open' },
    decide: { from: ['open', 'asking', 'proposed'], to: 'decided' },
    /** The channel refused to do what was decided. */
    reopen: { from: ['decided'], to: 'open' },
    /** A later bill, notification or receipt has brought it. */
    resolve: { from: ['next_day', 'open', 'asking', 'proposed'], to: 'resolved' },
  },
  sets: {
    settled: ['decided', 'resolved'],
    /** A person has to do something about it. */
    toDecide: ['open', 'asking', 'proposed'],
  },
})
export type DifferenceState = (typeof differenceState.states)[number]

export const decisions = ['take_order', 'refund', 'write_off', 'ask_channel', 'accept'] as const
export type Decision = (typeof decisions)[number]

/** What may be decided about what: each has an effect of its own, and no other is offered. */
export const decisionsOf: Record<DifferenceKind, readonly Decision[]> = {
  only_ours: ['ask_channel', 'write_off'],
  only_theirs: ['take_order', 'refund', 'ask_channel', 'write_off'],
  amount_differs: ['ask_channel', 'write_off'],
  refund_only_ours: ['ask_channel', 'write_off'],
  refund_only_theirs: ['ask_channel', 'write_off'],
  refund_differs: ['ask_channel', 'write_off'],
  fee_differs: ['ask_channel', 'accept'],
  balance_differs: ['ask_channel', 'accept'],
  payout_missing: ['ask_channel', 'accept'],
}

/** What a merchant makes of a settlement: it confirms it, or time does. Disputes of its orders stand beside it. */
export const batchState = stateTable({
  initial: 'open',
  states: ['open', 'confirmed', 'lapsed'],
  moves: {
    confirm: { from: ['open'], to: 'confirmed' },
    /** By itself, after the days that a setting names. */
    lapse: { from: ['open'], to: 'lapsed' },
  },
})
export type BatchState = (typeof batchState.states)[number]

/** One side says that an order was settled wrongly, the other answers. */
export const disputeState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'accepted', 'refused', 'withdrawn'],
  moves: {
    accept: { from: ['waiting'], to: 'accepted' },
    refuse: { from: ['waiting'], to: 'refused' },
    /** By the side that raised it. */
    withdraw: { from: ['waiting'], to: 'withdrawn' },
  },
})
export type DisputeState = (typeof disputeState.states)[number]

/** How what was accepted is put right: by the flows that there are, never by changing what was settled. */
export const corrections = ['refund', 'difference', 'other'] as const
