import type { VoucherKind } from '@aisle/contract/promotion/voucher'
import { batchStates } from '@aisle/contract/promotion/voucherPlan'
import { stateTable } from '@aisle/contract/kernel/states'
import { sql } from 'kysely'
import { rows } from '../../../db/rows'
import type { AuthKeys, Tx } from '../../../kernel/context'
import { seal } from '../../../kernel/seal'
import { stateTo } from '../../../kernel/states'
import { aboutVoucher, digestOf } from './secret'

/** Of what is made bit by bit. */
export const makingState = stateTable({
  initial: 'making',
  states: batchStates,
  moves: {
    finish: { from: ['making'], to: 'ready' },
    /** Cancelled before it was whole. */
    stop: { from: ['making'], to: 'stopped' },
  },
})

/** A statement's worth: some hundred milliseconds, so that nothing else waits for long. */
const CHUNK = 5_000

type Making = {
  keys: AuthKeys
  /** A number that nobody can foresee. */
  draw: () => string
  now: Date
}
type Batch = {
  id: number
  planId: number
  versionId: number
  merchantId: number
  kind: VoucherKind
  usesAllowed: number
  missing: number
  last: number
  validFrom: Date
  expiresAt: Date
}

/**
 * Makes the next of a batch, under its lock. A number that by chance is taken already is drawn again with the next
 * chunk. @param members who get one each, from the first on @returns how many are missing; null: none (any more)
 */
export async function makeVouchers(
  tx: Tx,
  batchId: number,
  { keys, draw, now }: Making,
  members: readonly number[] = [],
): Promise<number | null> {
  const batch = await lockMaking(tx, batchId)
  if (!batch) return null
  const digest = digestOf(keys)
  const drawn = Array.from({ length: Math.min(CHUNK, batch.missing) }, (_, index) => {
    const code = draw()
    const own = digest(code)
    if (!own) throw new Error('a number was drawn that is none')
    return {
      serial: batch.last + index + 1,
      digest: own,
      sealed: seal(keys, aboutVoucher(own), code),
      tail: code.slice(-4),
    }
  })
  const made = await sql`
    insert into voucher (batch_id, plan_id, version_id, merchant_id, kind, serial, member_id, digest, sealed, tail,
      uses_allowed, valid_from, expires_at, created_at)
    select ${batch.id}, ${batch.planId}, ${batch.versionId}, ${batch.merchantId}, ${batch.kind}, d.serial,
      (${[...members]}::bigint[])[d.serial], d.digest, d.sealed, d.tail, ${batch.usesAllowed}, ${batch.validFrom},
      ${batch.expiresAt}, ${now}
    from ${rows('d', drawn, { serial: 'int', digest: 'bytea', sealed: 'bytea', tail: 'text' })}
    on conflict (digest) do nothing`.execute(tx)
  const missing = batch.missing - Number(made.numAffectedRows ?? 0)
  if (missing === 0) {
    await sql`update voucher_batch set state = ${stateTo(makingState, 'finish')} where id = ${batch.id}`.execute(tx)
  }
  return missing
}

async function lockMaking(tx: Tx, id: number): Promise<Batch | undefined> {
  const found = await sql<Batch>`
    select b.id, b.plan_id as "planId", b.version_id as "versionId", b.merchant_id as "merchantId",
      case b.kind when 'codes' then 'code' else 'coupon' end as kind,
      coalesce(v.uses_per_code, 1)::int as "usesAllowed", b.count - b.made as missing, b.valid_from as "validFrom",
      b.expires_at as "expiresAt",
      coalesce((select max(serial) from voucher where batch_id = b.id), 0) as last
    from voucher_batch b join promotion_plan_version v on v.id = b.version_id
    where b.id = ${id} and b.state = 'making' for update of b`.execute(tx)
  return found.rows[0]
}
