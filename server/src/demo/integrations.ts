import { parentOf } from '@aisle/contract/merchant/integration'
import { sql } from 'kysely'
import { seal } from '../kernel/seal'
import type { AuthKeys, Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { integrations, shipping } from './data/integrations'
import { idOf, type Ids } from './people/people'

export async function seedIntegrations(
  tx: Tx,
  keys: AuthKeys,
  ids: { merchants: Ids; machines: Ids },
  { machine, now }: { machine: string | undefined; now: Date },
): Promise<void> {
  const seeds = machine === undefined ? integrations : [...integrations, shipping(machine)]
  const configs = seeds.map(({ merchant, machine: code, expiresInDays, state: _, ...seed }, index) => ({
    ...seed,
    merchantId: idOf(ids.merchants, merchant),
    machineId: code === undefined ? null : idOf(ids.machines, code),
    parentClass: parentOf(seed.childClass),
    expiresOn:
      expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * DAY_MS).toISOString().slice(0, 10),
    contractNumber: `HT-2026-${String(101 + index * 7)}`,
    createdAt: new Date(now.getTime() - (200 - index * 11) * DAY_MS),
  }))
  const made = await tx.insertInto('integrationConfig').values(configs).returning('id').execute()
  for (const [index, { id }] of made.entries()) {
    const config = configs[index]
    if (!config || seeds[index]?.state !== 'enabled') continue
    const secret = seal(keys, `integration:${id}`, `demo-secret-of-${config.contractNumber}`)
    await sql`update integration_config set state = 'enabled', secret = ${secret}, secret_set_at = ${config.createdAt}
      where id = ${id}`.execute(tx)
  }
}
