import { pickupCodeState } from '@aisle/contract/pickup/states'
import type { listReleased, ReleasedCode } from '@aisle/contract/pickup/batch'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { AuthKeys, Tx } from '../../kernel/context'
import { type Listing, listRows, mapRows } from '../../kernel/list'
import type { Sight } from '../../kernel/scope'
import { unseal } from '../../kernel/seal'
import { batchInSight, goodsText } from './batch.reads'
import { aboutCode } from './secret'
import { statesFrom } from '../../kernel/states'

export type NewRelease = {
  batchId: number
  userId: number
  use: 'print' | 'export' | 'reveal'
  fromSerial: number
  toSerial: number
  releasedAt: Date
  endsAt: Date
}

export async function insertRelease(tx: Tx, release: NewRelease): Promise<number> {
  const made = await sql<{ id: number }>`insert into pickup_release (batch_id, user_id, use, from_serial, to_serial,
      released_at, ends_at)
    values (${release.batchId}, ${release.userId}, ${release.use}, ${release.fromSerial}, ${release.toSerial},
      ${release.releasedAt}, ${release.endsAt}) returning id`.execute(tx)
  const id = made.rows[0]?.id
  if (id === undefined) throw new Error('no release was written')
  return id
}

/** Only what still gives something is worth paper. */
const givable = sql`c.state in ${statesFrom(pickupCodeState, 'cancel')}`

export async function countGivable(
  tx: Tx,
  { batchId, fromSerial, toSerial }: Pick<NewRelease, 'batchId' | 'fromSerial' | 'toSerial'>,
): Promise<number> {
  const found = await sql<{ count: number }>`select count(*)::int as count from pickup_code c
    where c.batch_id = ${batchId} and c.serial between ${fromSerial} and ${toSerial} and ${givable}`.execute(tx)
  return found.rows[0]?.count ?? 0
}

type Reading = { keys: AuthKeys; sight: Sight; userId: number; now: Date }
type Sealed = Omit<ReleasedCode, 'code'> & { digest: Buffer; sealed: Buffer }

/** Codes in clear, for who opened them and while that lasts; for anybody else there are none. */
export function listReleasedIn(
  { keys, sight, userId, now }: Reading,
  filter: InputOf<typeof listReleased>,
): Listing<ReleasedCode> {
  const rows = sql<Sealed>`
    select c.id, c.serial, c.digest, c.sealed, b.description, ${goodsText} as goods, m.name as "merchantName",
      to_json(c.expires_at) #>> '{}' as "expiresAt"
    from pickup_release s join pickup_batch b on b.id = s.batch_id join merchant m on m.id = b.merchant_id
    join pickup_code c on c.batch_id = b.id and c.serial between s.from_serial and s.to_serial
    where s.id = ${filter.releaseId} and s.user_id = ${userId} and s.ends_at > ${now} and s.use <> 'reveal'
      and ${givable} and ${batchInSight(sight)}`
  return mapRows(listRows({ rows, order: { by: sql`serial`, type: 'bigint' } }), (found) =>
    found.map(({ digest, sealed, ...row }) => ({ ...row, code: unseal(keys, aboutCode(digest), sealed) })),
  )
}
