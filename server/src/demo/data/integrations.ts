import type { IntegrationChild } from '@aisle/contract/merchant/integration'

export type ConfigSeed = {
  merchant: string
  machine?: string
  childClass: IntegrationChild
  interfaceType: 'push' | 'pull' | 'both'
  path: string
  useCount: number
  maxCount: number | null
  expiresInDays: number | null
  state: 'enabled' | 'disabled'
}

/** All at names that nobody can own. */
export const integrations: readonly ConfigSeed[] = [
  {
    merchant: 'EAST',
    childClass: 'order_sync',
    interfaceType: 'push',
    path: 'https://erp.yungui-demo.example/api/orders',
    useCount: 182_340,
    maxCount: null,
    expiresInDays: 300,
    state: 'enabled',
  },
  {
    merchant: 'EAST',
    childClass: 'stock_sync',
    interfaceType: 'pull',
    path: 'https://erp.yungui-demo.example/api/stock',
    useCount: 9_800,
    maxCount: 10_000,
    expiresInDays: 30,
    state: 'enabled',
  },
  {
    merchant: 'EASTRX',
    childClass: 'prescription',
    interfaceType: 'both',
    path: 'https://his.hekang-demo.example/prescriptions',
    useCount: 41_207,
    maxCount: 100_000,
    expiresInDays: 190,
    state: 'enabled',
  },
  {
    merchant: 'EASTRX',
    childClass: 'insurance_pay',
    interfaceType: 'push',
    path: 'https://pay.insurance-demo.example/settle',
    useCount: 5_000,
    maxCount: 5_000,
    expiresInDays: 120,
    state: 'enabled',
  },
  {
    merchant: 'SOUTH',
    childClass: 'member_sync',
    interfaceType: 'push',
    path: 'https://crm.linghai-demo.example/members',
    useCount: 730,
    maxCount: null,
    expiresInDays: -12,
    state: 'enabled',
  },
  {
    merchant: 'NORTHRX',
    childClass: 'real_name',
    interfaceType: 'pull',
    path: 'https://id.tongning-demo.example/check',
    useCount: 0,
    maxCount: 1_000,
    expiresInDays: 365,
    state: 'disabled',
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
