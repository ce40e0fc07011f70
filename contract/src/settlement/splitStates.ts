import { stateTable } from '../kernel/states'

/** Whose the money is that a receiver gets. */
export const receiverKinds = ['merchant', 'user', 'outside'] as const
/** How the channel names an account: a merchant's number or a person at WeChat, an id or a login at Alipay. */
export const receiverAccountTypes = ['merchant_no', 'openid', 'user_id', 'login'] as const
export type ReceiverAccountType = (typeof receiverAccountTypes)[number]
export const splitProviders = ['wechat', 'alipay'] as const
export type SplitProvider = (typeof splitProviders)[number]
export const accountTypesOf: Record<SplitProvider, readonly ReceiverAccountType[]> = {
  wechat: ['merchant_no', 'openid'],
  alipay: ['user_id', 'login'],
}

/** A receiver is known to the channel before anything is sent to it; what the channel says of that is kept. */
export const splitReceiverState = stateTable({
  initial: 'draft',
  states: ['draft', 'binding', 'bound', 'unbinding', 'unbound', 'failed'],
  moves: {
    bind: { from: ['draft', 'unbound', 'failed'], to: 'binding' },
    confirm: { from: ['binding'], to: 'bound' },
    refuse: { from: ['binding'], to: 'failed' },
    unbind: { from: ['bound'], to: 'unbinding' },
    end: { from: ['unbinding'], to: 'unbound' },
    /** The channel says that there is no such account or relation any more. */
    lose: { from: ['bound'], to: 'failed' },
  },
  sets: {
    /** The channel is being asked. */
    underWay: ['binding', 'unbinding'],
  },
})
export type SplitReceiverState = (typeof splitReceiverState.states)[number]

/** The shares of one order, which the channel is asked for together; `failed`: some of them, and a person decides. */
export const splitState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'sending', 'unknown', 'failed', 'finishing', 'finished'],
  moves: {
    send: { from: ['waiting'], to: 'sending' },
    lose: { from: ['sending'], to: 'unknown' },
    hear: { from: ['unknown'], to: 'sending' },
    fail: { from: ['waiting', 'sending', 'unknown'], to: 'failed' },
    /** Under a new number: the channel has said of the old one that it is over. */
    again: { from: ['failed'], to: 'waiting' },
    /** Nothing is to be sent any more: what is left over is unfrozen. */
    finish: { from: ['waiting', 'sending', 'unknown', 'failed'], to: 'finishing' },
    end: { from: ['finishing'], to: 'finished' },
  },
  sets: {
    /** The channel may have heard of it, and has not said how it ended. */
    underWay: ['sending', 'unknown'],
    /** The worker has something to say to the channel. */
    due: ['waiting', 'sending', 'unknown', 'finishing'],
    notFinished: ['waiting', 'sending', 'unknown', 'failed', 'finishing'],
  },
})
export type SplitState = (typeof splitState.states)[number]

/** One receiver's share of one order. What failed stays owed until it is sent again or given to the merchant. */
export const splitLineState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'sent', 'done', 'failed', 'proposed', 'released'],
  moves: {
    send: { from: ['waiting'], to: 'sent' },
    confirm: { from: ['sent'], to: 'done' },
    fail: { from: ['waiting', 'sent'], to: 'failed' },
    again: { from: ['failed'], to: 'waiting' },
    /** Above the limit another person agrees. */
    propose: { from: ['failed'], to: 'proposed' },
    refuse: { from: ['proposed'], to: 'failed' },
    /** To the merchant; also what a refund took away whole before it was sent. */
    release: { from: ['waiting', 'failed', 'proposed'], to: 'released' },
  },
  sets: {
    toDecide: ['failed', 'proposed'],
    /** Owed to the receiver. */
    owed: ['waiting', 'sent', 'failed', 'proposed'],
    /** No longer moves. */
    over: ['done', 'released'],
  },
})
export type SplitLineState = (typeof splitLineState.states)[number]

/** What a receiver owes back of a share that it has, since its order was refunded afterwards. */
export const splitReturnState = stateTable({
  initial: 'waiting',
  states: ['waiting', 'sending', 'done', 'claimed', 'settled', 'written_off'],
  moves: {
    send: { from: ['waiting'], to: 'sending' },
    /** The channel said that the number is over and nothing moved: under a new one. */
    again: { from: ['sending'], to: 'waiting' },
    confirm: { from: ['sending'], to: 'done' },
    /** The channel or the receiver gives nothing back: it is taken off what the receiver gets next. */
    claim: { from: ['waiting', 'sending'], to: 'claimed' },
    settle: { from: ['claimed'], to: 'settled' },
    writeOff: { from: ['claimed'], to: 'written_off' },
  },
  sets: {
    due: ['waiting', 'sending'],
  },
})
export type SplitReturnState = (typeof splitReturnState.states)[number]

/** A request of WeChat or, sent asynchronously, of Alipay takes 50 receivers; an agreement of more is a mistake. */
export const MOST_SPLIT_LINES = 20
/** Channels let go by themselves of what is frozen for so long; five days before, somebody is told. */
export const FROZEN_DAYS = 30
export const FROZEN_WARNING_DAYS = 25
