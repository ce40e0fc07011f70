import type { DisplayKey, listDisplayKeys } from '@aisle/contract/wallboard/displayKey'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import { sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { allOf, listRows, type Listing } from '../../kernel/list'
import { only } from '../../kernel/must'
import { merchantInSight, type Sight } from '../../kernel/scope'

const DAY_MS = 86_400_000

export function listDisplayKeysIn(
  sight: Sight,
  filter: InputOf<typeof listDisplayKeys>,
  now: Date,
): Listing<DisplayKey> {
  const rows = sql<DisplayKey>`
    select k.id, k.name, k.merchant_id as "merchantId", c.name as "merchantName", k.hides_names as "hidesNames",
      case when k.revoked_at is null then 'valid' else 'revoked' end as state,
      (select count(*)::int from board_client b where b.key_hash = k.key_hash
        and b.seen_at > ${new Date(now.getTime() - DAY_MS)}) as boards,
      to_json(k.created_at) #>> '{}' as "createdAt", maker.display_name as "createdBy",
      to_json(k.revoked_at) #>> '{}' as "revokedAt", ender.display_name as "revokedBy",
      case when k.revoked_at is null then k.id else k.id - 1000000000 end as place
    from display_key k join merchant c on c.id = k.merchant_id
    left join app_user maker on maker.id = k.created_by left join app_user ender on ender.id = k.revoked_by
    where ${merchantInSight(sight, sql`k.merchant_id`)}`
  const where = allOf([filter.merchantId && sql`"merchantId" = ${filter.merchantId}`])
  return listRows({ rows, where, order: { by: sql`place`, type: 'bigint', newestFirst: true } })
}

export async function insert(
  tx: Tx,
  key: { hash: Buffer; merchantId: number; name: string; hidesNames: boolean; userId: number; at: Date },
): Promise<number> {
  const made = await sql<{ id: number }>`
    insert into display_key (key_hash, merchant_id, name, hides_names, created_at, created_by)
    values (${key.hash}, ${key.merchantId}, ${key.name}, ${key.hidesNames}, ${key.at}, ${key.userId})
    returning id`.execute(tx)
  return only(made).id
}

export type Kept = { id: number; name: string; merchantId: number; isRevoked: boolean }

export async function lock(tx: Tx, sight: Sight, id: number): Promise<Kept | undefined> {
  const found = await sql<Kept>`select id, name, merchant_id as "merchantId", revoked_at is not null as "isRevoked"
    from display_key where id = ${id} and ${merchantInSight(sight, sql`merchant_id`)} for update`.execute(tx)
  return found.rows[0]
}

export async function revoke(tx: Tx, id: number, userId: number, at: Date): Promise<void> {
  await sql`update display_key set revoked_at = ${at}, revoked_by = ${userId} where id = ${id}`.execute(tx)
}
