import { type IntegrationChild, parentOf } from '@aisle/contract/merchant/integration'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import { seal } from '../kernel/seal'
import type { AuthKeys, Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { idOf, type Ids } from './people/people'

type ConfigSeed = {
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
const planned: readonly ConfigSeed[] = [
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
const shipping = (machine: string): ConfigSeed => ({
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

export async function seedIntegrations(
  tx: Tx,
  keys: AuthKeys,
  ids: { merchants: Ids; machines: Ids },
  { machine, now }: { machine: string | undefined; now: Date },
): Promise<void> {
  const seeds = machine === undefined ? planned : [...planned, shipping(machine)]
  const configs = seeds.map((seed, index) => ({
    ...seed,
    merchantId: idOf(ids.merchants, seed.merchant),
    machineId: seed.machine === undefined ? null : idOf(ids.machines, seed.machine),
    parentClass: parentOf(seed.childClass),
    expiresOn:
      seed.expiresInDays === null
        ? null
        : new Date(now.getTime() + seed.expiresInDays * DAY_MS).toISOString().slice(0, 10),
    contractNumber: `HT-2026-${String(101 + index * 7)}`,
    createdAt: new Date(now.getTime() - (200 - index * 11) * DAY_MS),
  }))
  const made = await sql<{ id: number }>`
    insert into integration_config (merchant_id, machine_id, parent_class, child_class, interface_type, path, use_count,
      max_count, expires_on, contract_number, created_at)
    select * from ${rows('c', configs, {
      merchantId: 'bigint',
      machineId: 'bigint',
      parentClass: 'text',
      childClass: 'text',
      interfaceType: 'text',
      path: 'text',
      useCount: 'int',
      maxCount: 'int',
      expiresOn: 'date',
      contractNumber: 'text',
      createdAt: 'timestamptz',
    })} returning id`.execute(tx)
  for (const [index, { id }] of made.rows.entries()) {
    const config = configs[index]
    if (config?.state !== 'enabled') continue
    const secret = seal(keys, `integration:${id}`, `demo-secret-of-${config.contractNumber}`)
    await sql`update integration_config set state = 'enabled', secret = ${secret}, secret_set_at = ${config.createdAt}
      where id = ${id}`.execute(tx)
  }
}
