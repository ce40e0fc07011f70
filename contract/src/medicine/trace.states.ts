import { stateTable } from '../kernel/states'

/**
 * A code that nobody had entered when it was sold is sold all the same; `unknown` is one that was only seen. What the
 * books say left its place follows by the moves of stock (trigger `stock_move_trace`): `withdrawn` is in hand until it
 * is destroyed or goes back, of what is `unaccounted` nobody can tell how it went.
 */
export const traceState = stateTable({
  initial: 'unknown',
  states: ['unknown', 'in_stock', 'withdrawn', 'unaccounted', 'sold', 'returned', 'destroyed'],
  moves: {
    bind: { from: ['unknown', 'in_stock', 'withdrawn', 'unaccounted', 'returned'], to: 'in_stock' },
    withdraw: { from: ['in_stock'], to: 'withdrawn' },
    lose: { from: ['in_stock'], to: 'unaccounted' },
    /** Whatever the books say of it: what a machine handed out is gone. */
    sell: { from: ['unknown', 'in_stock', 'withdrawn', 'unaccounted', 'returned', 'destroyed'], to: 'sold' },
    takeBack: { from: ['sold'], to: 'returned' },
    destroy: { from: ['unknown', 'in_stock', 'withdrawn', 'unaccounted', 'returned'], to: 'destroyed' },
  },
  sets: { gone: ['sold', 'destroyed'] },
})
export type TraceState = (typeof traceState.states)[number]
export const traceTones = {
  unknown: 'warn',
  in_stock: 'good',
  withdrawn: 'busy',
  unaccounted: 'bad',
  sold: 'idle',
  returned: 'busy',
  destroyed: 'idle',
} as const

export const traceVerbs = [
  'receive',
  'load',
  'sell',
  'sellAgain',
  'takeBack',
  'destroy',
  'withdraw',
  'remove',
  'lose',
  'bringBack',
] as const
export type TraceVerb = (typeof traceVerbs)[number]
