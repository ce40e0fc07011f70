import type { Provider } from '@aisle/contract/payment/states'
import type { UnclaimedState } from '@aisle/contract/refund/unclaimed'
import { PLATFORM } from './merchants'

type CaseSeed = {
  /** Whose account at the provider has the money. */
  merchant: string
  provider: Provider
  no: string
  fen: number
  hoursAgo: number
  state: Extract<UnclaimedState, 'open' | 'asked' | 'failed' | 'refunded'>
  reason?: string
}

/** Counters and posters of the merchants' own collect with the same numbers at the provider, and under theirs. */
export const unclaimedStory: readonly CaseSeed[] = [
  { merchant: PLATFORM, provider: 'wechat', no: 'COUNTER2026000955', fen: 900, hoursAgo: 2.6, state: 'open' },
  { merchant: PLATFORM, provider: 'alipay', no: 'POSTER2026000318', fen: 1250, hoursAgo: 20, state: 'open' },
  {
    merchant: 'SOUTHSTORE',
    provider: 'wechat',
    no: 'COUNTER2026000921',
    fen: 8600,
    hoursAgo: 27,
    state: 'asked',
    reason: '顾客扫了收银台旧码，门店核实未取货',
  },
  {
    merchant: PLATFORM,
    provider: 'wechat',
    no: 'COUNTER2026000874',
    fen: 1800,
    hoursAgo: 76,
    state: 'failed',
    reason: '顾客来电，付款截图与渠道单号一致',
  },
  {
    merchant: PLATFORM,
    provider: 'wechat',
    no: 'POSTER2026000266',
    fen: 650,
    hoursAgo: 118,
    state: 'refunded',
    reason: '旧海报二维码，已请门店撤下',
  },
]
