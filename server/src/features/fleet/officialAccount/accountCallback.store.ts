import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import type { FollowEvent } from './accountCallback.rules'

/** The account that is called by this key, with what proves the caller, sealed. */
export async function findCalled(db: Reader, key: string): Promise<{ id: number; token: Buffer } | undefined> {
  const found = await sql<{ id: number; token: Buffer }>`select id, sealed_token as token from official_account
    where notify_key = ${key} and sealed_token is not null`.execute(db)
  return found.rows[0]
}

export async function keepFollower(
  db: Reader,
  accountId: number,
  { openId, isFollowing, machineCode, at }: FollowEvent,
): Promise<void> {
  await sql`insert into account_follower as f (account_id, open_id, is_following, machine_id, changed_at)
    values (${accountId}, ${openId}, ${isFollowing}, (select m.id from machine m
      join official_account_machine s on s.machine_id = m.id and s.account_id = ${accountId}
      where m.code = ${machineCode}), ${at})
    on conflict (account_id, open_id) do update set is_following = excluded.is_following,
      machine_id = coalesce(excluded.machine_id, f.machine_id), changed_at = excluded.changed_at
    where f.changed_at < excluded.changed_at`.execute(db)
}
