import { stateTable } from '../kernel/states'

/** Channels that move customers' money for us, each with a protocol of its own (docs/decisions/0014). */
export const providers = ['alipay', 'wechat', 'unionpay'] as const
export type Provider = (typeof providers)[number]

/** `native`: the machine shows a code that the customer scans; `barcode`: the machine scans the customer's code. */
export const paymentProducts = ['native', 'barcode'] as const
export type PaymentProduct = (typeof paymentProducts)[number]

/**
 * Who holds the money between the customer and the merchant. In `direct` it never touches the platform; `profit_share`
 * is a provider's sub-merchant; `custody` a licensed holder; `demo` moves nothing real.
 */
export const fundsModes = ['direct', 'profit_share', 'custody', 'demo'] as const
/** Where a channel may be told to give parts of an order's money to others. */
export const sharingModes = ['profit_share', 'demo'] as const satisfies readonly FundsMode[]
export type FundsMode = (typeof fundsModes)[number]

/** Spec §4, payment account; once activated nothing of it may be changed. */
export const paymentAccountState = stateTable({
  initial: 'preparing',
  states: ['preparing', 'activated', 'stopped'],
  moves: {
    activate: { from: ['preparing'], to: 'activated' },
    stop: { from: ['activated'], to: 'stopped' },
  },
})

/** One attempt to take money through a channel. Silence is a state: only an answer or the bill ends it. */
export const paymentAttemptState = stateTable({
  initial: 'created',
  states: ['created', 'waiting', 'unknown', 'paid', 'closed', 'failed'],
  moves: {
    /** Also once more: the channel says again that nobody has paid. */
    offer: { from: ['created', 'waiting', 'unknown'], to: 'waiting' },
    lose: { from: ['created', 'waiting'], to: 'unknown' },
    /** The money is there, however late: also for what was closed meanwhile. */
    pay: { from: ['created', 'waiting', 'unknown', 'closed', 'failed'], to: 'paid' },
    close: { from: ['created', 'waiting', 'unknown'], to: 'closed' },
    fail: { from: ['created', 'unknown'], to: 'failed' },
  },
  sets: {
    open: ['created', 'waiting', 'unknown'],
    bad: ['failed', 'unknown'],
    /** The channel had its say, or should have had it. */
    answered: ['paid', 'failed', 'unknown'],
  },
})
export type PaymentAttemptState = (typeof paymentAttemptState.states)[number]
