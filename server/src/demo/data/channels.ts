import type { FundsMode, Provider } from '@aisle/contract/payment/states'
import { PLATFORM } from './merchants'

type AccountSeed = {
  merchant: string
  provider: Provider
  /** Whose numbers and keys it collects with. */
  by?: string
  fundsMode?: FundsMode
  /** Whether it collects; else it is being prepared. */
  isReady?: false
  machine?: string
}

const channelProviders: readonly Provider[] = ['wechat', 'alipay', 'unionpay']
const operators = ['EAST', 'SOUTH', 'NORTH', 'WEST']

/** Operators collect for all below them; a pharmacy has numbers of its own, and one chain its own contracts. */
export const channelAccounts = (machine: string | undefined): AccountSeed[] => [
  { merchant: 'EAST', provider: 'alipay' },
  ...operators.flatMap((merchant) => channelProviders.map((provider) => ({ merchant, provider }))),
  { merchant: 'EASTRX', provider: 'wechat' },
  { merchant: 'EASTRX', provider: 'alipay' },
  { merchant: 'SOUTHSTORE', provider: 'wechat', by: 'SOUTHSTORE', fundsMode: 'direct' },
  { merchant: 'SOUTHSTORE', provider: 'alipay', by: 'SOUTHSTORE', fundsMode: 'direct' },
  { merchant: 'NORTHRX', provider: 'wechat', isReady: false },
  { merchant: 'WESTSTORE', provider: 'alipay', isReady: false },
  ...(machine === undefined ? [] : [{ merchant: 'EAST', provider: 'wechat' as const, machine }]),
]

export const appIds: Record<Provider, (index: number) => string> = {
  wechat: (index) => `wxde30000000000${100 + index}`,
  alipay: (index) => `2021000000000${100 + index}`,
  unionpay: () => '',
}
export const stems = { wechat: '1900000', alipay: '2088000000000', unionpay: '777290058110' } as const

/** Who has numbers at the providers: the platform, and one chain that has contracts of its own. */
export const ownAccounts: readonly { owner: string; name: string; provider: Provider }[] = [
  ...channelProviders.map((provider) => ({ owner: PLATFORM, name: '平台服务商', provider })),
  { owner: 'SOUTHSTORE', name: '骑楼里自有签约', provider: 'wechat' },
  { owner: 'SOUTHSTORE', name: '骑楼里自有签约', provider: 'alipay' },
]

/** So many days have their bills; the stand-in has that of yesterday when it is asked for it. */
export const BILLED_DAYS = 7

type Fault = { provider: Provider; daysAgo: number; kind: 'payment' | 'refund' }
/** What really happens to bills, in those of the platform that are still worked on: lines that are not there, */
export const leftOut: readonly (Fault & { nth: number })[] = [
  { provider: 'wechat', daysAgo: 4, kind: 'payment', nth: 31 },
  { provider: 'wechat', daysAgo: 4, kind: 'payment', nth: 57 },
  { provider: 'wechat', daysAgo: 3, kind: 'refund', nth: 1 },
  { provider: 'unionpay', daysAgo: 3, kind: 'payment', nth: 5 },
]
/** that say another amount, */
export const saidOtherwise: readonly (Fault & { nth: number; byFen: number })[] = [
  { provider: 'alipay', daysAgo: 5, kind: 'payment', nth: 12, byFen: -100 },
  { provider: 'alipay', daysAgo: 4, kind: 'refund', nth: 1, byFen: 50 },
]
/** and that nobody knows. */
export const unknownLines: readonly (Fault & { no: string; amountFen: number })[] = [
  { provider: 'wechat', daysAgo: 4, kind: 'payment', no: 'KIOSK20260001', amountFen: 650 },
  { provider: 'alipay', daysAgo: 2, kind: 'payment', no: 'KIOSK20260002', amountFen: 8800 },
  { provider: 'alipay', daysAgo: 3, kind: 'refund', no: 'KIOSK20260003', amountFen: 300 },
]

type ReceiverSeed = {
  provider: 'wechat' | 'alipay'
  type: 'merchant_no' | 'openid' | 'login' | 'user_id'
  account: string
  name: string
  ratePercent?: number
  fixedFen?: number
}
/** The mall that a machine stands in, at either channel, and who cleans it; one has closed its account since. */
export const receiverSeeds: readonly ReceiverSeed[] = [
  { provider: 'wechat', type: 'merchant_no', account: '1900000871', name: '江南商业管理有限公司', ratePercent: 8 },
  { provider: 'wechat', type: 'openid', account: 'oDemoCleaner0007', name: '周保洁', fixedFen: 10 },
  { provider: 'alipay', type: 'login', account: 'mall@jiangnan.example', name: '江南商业管理有限公司', ratePercent: 8 },
  { provider: 'alipay', type: 'user_id', account: '2088000000000000', name: '旧场地方（已注销）' },
]
