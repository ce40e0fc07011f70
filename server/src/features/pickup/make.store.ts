import { stateTable } from '@aisle/contract/kernel/states'
import { seal } from '../../kernel/seal'
import { sql } from 'kysely'
import { rows } from '../../db/rows'
import type { AuthKeys, Tx } from '../../kernel/context'
import { aboutCode, digestOf, drawCode } from './secret'
import { stateTo } from '../../kernel/states'

type Batch = {
  id: number
  merchantId: number
  missing: number
  last: number
  pieces: number
  expiresAt: Date
}

/** A statement's worth: some hundred milliseconds, so that nothing else waits for long. */
const CHUNK = 5_000

/**
 * Makes the next codes of a batch, under its lock. A number that by chance is taken already is drawn again with the
 * next chunk. @returns how many are still missing; null when there is nothing (more) to make
 */
/** Of a batch that is made bit by bit; what people see of it follows from its codes, too. */
export const makingState = stateTable({
  initial: 'making',
  states: ['making', 'ready', 'stopped'],
  moves: {
    finish: { from: ['making'], to: 'ready' },
    /** Cancelled before it was whole. */
    stop: { from: ['making'], to: 'stopped' },
  },
})

export async function makeCodes(tx: Tx, keys: AuthKeys, batchId: number, now: Date): Promise<number | null> {
  const batch = await lockMaking(tx, batchId)
  if (!batch) return null
  const size = Math.min(CHUNK, batch.missing)
  const digest = digestOf(keys)
  const drawn = Array.from({ length: size }, (_, index) => {
    const code = drawCode()
    const own = digest(code)
    if (!own) throw new Error('a code was drawn that is none')
    return {
      serial: batch.last + index + 1,
      digest: own,
      sealed: seal(keys, aboutCode(own), code),
      tail: code.slice(-4),
    }
  })
  const made =
    await sql`insert into pickup_code (batch_id, merchant_id, serial, digest, sealed, tail, expires_at, pieces,
      created_at)
    select ${batch.id}, ${batch.merchantId}, serial, digest, sealed, tail, ${batch.expiresAt}, ${batch.pieces}, ${now}
    from ${rows('d', drawn, { serial: 'int', digest: 'bytea', sealed: 'bytea', tail: 'text' })}
    on conflict (digest) do nothing`.execute(tx)
  const missing = batch.missing - Number(made.numAffectedRows ?? 0)
  if (missing === 0)
    await sql`update pickup_batch set state = ${stateTo(makingState, 'finish')}
    where id = ${batch.id}`.execute(tx)
  return missing
}

async function lockMaking(tx: Tx, id: number): Promise<Batch | undefined> {
  const found = await sql<Batch>`
    select b.id, b.merchant_id as "merchantId", b.count - b.made as missing, b.expires_at as "expiresAt",
      coalesce((select max(serial) from pickup_code where batch_id = b.id), 0) as last,
      (select count(*) from pickup_content where batch_id = b.id) * b.pickups_allowed as pieces
    from pickup_batch b where b.id = ${id} and b.state = 'making' for update of b`.execute(tx)
  return found.rows[0]
}
