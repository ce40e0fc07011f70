import type { offeredChildren } from '@aisle/contract/merchant/integration'

export type ConfigSeed = {
  merchant: string
  machine?: string
  childClass: (typeof offeredChildren)[number]
  interfaceType: 'push' | 'pull' | 'both'
  path: string | null
  useCount: number
  maxCount: number | null
  expiresInDays: number | null
  state: 'enabled' | 'disabled'
}

/** All at names that nobody can own. */
export const integrations: readonly ConfigSeed[] = [
  {
    merchant: 'EASTRX',
    childClass: 'ship_request',
    interfaceType: 'pull',
    path: null,
    useCount: 41_207,
    maxCount: 100_000,
    expiresInDays: 190,
    state: 'enabled',
  },
  {
    merchant: 'SOUTH',
    childClass: 'ship_request',
    interfaceType: 'both',
    path: 'https://app.linghai-demo.example/shipped',
    useCount: 730,
    maxCount: null,
    expiresInDays: -12,
    state: 'enabled',
  },
  {
    merchant: 'NORTHRX',
    childClass: 'ship_request',
    interfaceType: 'both',
    path: 'https://shop.tongning-demo.example/shipped',
    useCount: 5_000,
    maxCount: 5_000,
    expiresInDays: 120,
    state: 'enabled',
  },
]

/** One machine of the operator is asked to hand out what its shop has sold. */
export const shipping = (machine: string): ConfigSeed => ({
  merchant: 'EAST',
  machine,
  childClass: 'ship_request',
  interfaceType: 'both',
  path: 'https://shop.yungui-demo.example/ship',
  useCount: 2_316,
  maxCount: 50_000,
  expiresInDays: null,
  state: 'enabled',
})

/** An alarm desk hears what happens to that machine; a whole merchant's past would be told with it. */
export const feeding = (machine: string): ConfigSeed => ({
  merchant: 'EAST',
  machine,
  childClass: 'event_feed',
  interfaceType: 'both',
  path: null,
  useCount: 9_800,
  maxCount: null,
  expiresInDays: 300,
  state: 'enabled',
})
export const hook = {
  address: 'https://alarms.yungui-demo.example/hook',
  kinds: ['alarm.opened', 'alarm.closed', 'machine.offline', 'machine.online', 'stock.empty'] as const,
}

type KeySeed = {
  merchant: string
  name: string
  scopes: readonly string[]
  callsAMinute: number
  lastsDays: number
  isRevoked: boolean
}

/** Of programs that read, of one that writes, and of one that is over. */
export const apiKeys: readonly KeySeed[] = [
  {
    merchant: 'EASTRX',
    name: '用友 ERP',
    scopes: ['product.read', 'product.write', 'order.read', 'settlement.read', 'purchaseOrder.read'],
    callsAMinute: 600,
    lastsDays: 180,
    isRevoked: false,
  },
  {
    merchant: 'SOUTH',
    name: 'BI 报表平台',
    scopes: ['machine.read', 'order.read', 'alarm.read'],
    callsAMinute: 120,
    lastsDays: 30,
    isRevoked: false,
  },
  {
    merchant: 'NORTHRX',
    name: '旧运维平台',
    scopes: ['machine.read', 'alarm.read', 'alarm.handle'],
    callsAMinute: 60,
    lastsDays: 300,
    isRevoked: true,
  },
]
