import { isGranted } from '@aisle/contract/identity/permissions'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { grantsWithout } from '@aisle/contract/permissions'
import { sql } from 'kysely'
import type { Actor, Reader, Services } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { hashToken } from '../../../kernel/token'
import type { Rate } from '../gate.store'
import { limits } from '../rate.rules'
import { grantsOf, hindranceOf, withItsPeople } from './apiKey.reads'

type Program = { actor: Actor; limits: Record<string, string>; isOver: boolean }

type Row = {
  id: number
  userId: number
  account: string
  name: string
  merchantId: number
  language: Language
  scopes: string[]
  callsAMinute: number
  hindrance: 'revoked' | 'expired' | 'merchantStopped' | 'unanswered' | null
  held: string[]
  switchedOff: string[]
}

/**
 * Who calls with a key: a program that sees the subtree of its merchant and may do what its scopes say, as far as the
 * person who answers for it may at this moment. Counts the call.
 * @throws Refusal apiKey.unknown, .revoked, .expired, .merchantStopped or .unanswered
 */
export async function admitKey({ db, clock }: Services, token: string): Promise<Program> {
  const now = clock.now()
  const tokenHash = hashToken(token)
  const found = await sql<Row>`select k.id, k.user_id as "userId", u.account, k.name, k.merchant_id as "merchantId",
      u.language, k.scopes, k.calls_a_minute as "callsAMinute", ${hindranceOf(now)} as hindrance,
      ${grantsOf(sql`k.answers_by`)} as held, array(select code from resource_off) as "switchedOff"
    from ${withItsPeople} join app_user u on u.id = k.user_id where k.key_hash = ${tokenHash}`.execute(db)
  const key = found.rows[0] ?? refuse('apiKey.unknown')
  if (key.hindrance) refuse(`apiKey.${key.hindrance}`)
  const rate = await countCall(db, key, now)
  return { actor: actorOf(key, tokenHash), limits: limits(rate), isOver: rate.left < 0 }
}

/** As whoever runs the merchant sees; no role is switched, looked through or left. */
function actorOf({ userId, account, name, merchantId, language, ...key }: Row, tokenHash: Buffer): Actor {
  const held = key.scopes.filter((code) => isGranted(key.held, code as Permission))
  return {
    userId,
    account,
    displayName: name,
    kind: 'merchant_admin',
    merchantId,
    grants: grantsWithout(held, key.switchedOff),
    roles: [],
    roleChoices: [],
    activeRole: null,
    viewedRole: null,
    isViewingAs: false,
    switchedOff: key.switchedOff,
    language,
    tokenHash,
  }
}

async function countCall(db: Reader, { id, callsAMinute }: Pick<Row, 'id' | 'callsAMinute'>, now: Date): Promise<Rate> {
  const counted = await sql<{ calls: number }>`insert into api_key_rate as r (key_id, minute, calls)
    values (${id}, date_trunc('minute', ${now}::timestamptz), 1)
    on conflict (key_id, minute) do update set calls = r.calls + 1 returning calls`.execute(db)
  const calls = counted.rows[0]?.calls ?? 1
  // Noted with the first call of a minute: more often would be a write to the key's row by each call.
  if (calls === 1) await sql`update api_key set last_used_at = ${now} where id = ${id}`.execute(db)
  return { most: callsAMinute, left: callsAMinute - calls, seconds: 60 - now.getUTCSeconds() }
}

/** Counts of minutes that are over say nothing any more. */
export async function sweepRates({ db, clock }: Services): Promise<void> {
  await sql`delete from api_key_rate where minute < ${new Date(clock.now().getTime() - 5 * 60_000)}`.execute(db)
}
