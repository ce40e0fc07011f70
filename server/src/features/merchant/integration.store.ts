import type { IntegrationHindrance } from '@aisle/contract/merchant/integration'
import { type RawBuilder, sql } from 'kysely'
import type { AuthKeys, CommandContext, Tx } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { exceedsSight, keptOfInterface, machineInSight, merchantInSight, type Sight, sightOf } from '../../kernel/scope'
import { unseal } from '../../kernel/seal'

export type OpenedInterface = { id: number; path: string | null; secret: string }

/**
 * Counts one call of an interface, in the caller's transaction, and hands out what it needs. Two calls at once can't
 * both take the last one: the row is held, and the database keeps the count at its maximum.
 * @throws Refusal integrationConfig.disabled, .expired or .spent
 */
export async function countUse(tx: Tx, keys: AuthKeys, id: number, now: Date): Promise<OpenedInterface> {
  const found = await sql<{ path: string | null; secret: Buffer | null; hindrance: IntegrationHindrance | null }>`
    select i.path, i.secret, case when i.state = 'disabled' then 'disabled'
        when i.expires_on < (${now}::timestamptz at time zone m.time_zone)::date then 'expired'
        when i.use_count >= i.max_count then 'spent' end as hindrance
    from integration_config i join merchant m on m.id = i.merchant_id where i.id = ${id} for update of i`.execute(tx)
  const row = found.rows[0]
  if (!row) throw new RangeError(`no interface ${id}`)
  if (row.hindrance) refuse(`integrationConfig.${row.hindrance}`)
  if (!row.secret) throw new RangeError(`interface ${id} is enabled without a secret`)
  await sql`update integration_config set use_count = use_count + 1 where id = ${id}`.execute(tx)
  return { id, path: row.path, secret: unseal(keys, `integration:${id}`, row.secret) }
}

/** Of `i` (integration_config). One of a machine is out of sight with it, for people who see machine by machine. */
export function integrationInSight(sight: Sight): RawBuilder<boolean> {
  const merchant = merchantInSight(sight, sql`i.merchant_id`)
  if (sight.kind !== 'granted') return merchant
  return sql<boolean>`(${merchant} and (i.machine_id is null or ${machineInSight(sight, sql`i.machine_id`)}))`
}

type Reached = { merchantId: number; merchantName: string; machineId: number | null }

/**
 * Whoever holds the secret, or says where calls go, does by it what its machines do: nobody has that of machines that
 * they don't see, or see for less long.
 */
export async function refuseBeyond(ctx: CommandContext, { merchantId, merchantName, machineId }: Reached) {
  const found = await sql<{ more: boolean }>`
    select ${exceedsSight(sightOf(ctx.actor), keptOfInterface(merchantId, machineId))} as more`.execute(ctx.tx)
  if (found.rows[0]?.more !== false) refuse('integrationConfig.beyond', { merchant: merchantName })
}
