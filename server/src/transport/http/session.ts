import { bothGrant, type UserKind } from '@aisle/contract/identity/permissions'
import type { RoleSurface } from '@aisle/contract/rights/surface'
import type { Language } from '@aisle/contract/kernel/text'
import { grantsWithout } from '@aisle/contract/permissions'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Actor, RoleName } from '../../kernel/context'
import { owedAgreement } from '../../kernel/owedAgreement'
import { refuse } from '../../kernel/refuse'
import { SESSION_IDLE_MS, SESSION_WHOLE_MS } from '../../kernel/token'

/**
 * @param surface the back office where it is left out
 * @throws Refusal S9999 for a session that is unknown or over, B1000 for one that a newer sign-in ended
 */
export type ReadSession = (tokenHash: Buffer, now: Date, touch: boolean, surface?: RoleSurface) => Promise<Actor>

const TOUCH_AFTER_MS = 60_000

type Row = {
  created_at: Date
  last_seen_at: Date
  ends_at: Date
  end_reason: string | null
  is_active: boolean
  user_id: number
  account: string
  display_name: string
  kind: UserKind
  merchant_id: number
  language: Language
  roles: HeldRole[]
  active_role_id: number | null
  limited_to: 'password' | null
  owes_agreement: boolean
  viewed_role: HeldRole | null
  switched_off: string[]
}
type HeldRole = RoleName & { grants: string[] }

const GRANTS = `array(select p.permission from role_permission p where p.role_id = r.id)`
/** Who was given none for the phone does there what they may do at the desk. */
const HAS_APP_ROLE = `exists (select from user_role au join role a on a.id = au.role_id
  where au.user_id = u.id and a.surface = 'app')`
/** Asked by every call, so it is a named statement: PostgreSQL plans it once a connection. */
const SELECT = `
  select s.created_at, s.last_seen_at, s.ends_at, s.end_reason, u.state = 'active' and m.state = 'active' as is_active,
    u.id as user_id, u.account, u.display_name, u.kind, u.merchant_id, u.language, s.active_role_id,
    s.limited_to, exists (${owedAgreement('u.id')}) as owes_agreement,
    (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'grants', ${GRANTS}) order by r.name, r.id),
      '[]') from user_role ur join role r on r.id = ur.role_id
      where ur.user_id = u.id
        and r.surface = case when $2 = 'app' and ${HAS_APP_ROLE} then 'app' else 'web' end) as roles,
    (select json_build_object('id', r.id, 'name', r.name, 'grants', ${GRANTS})
      from role r where r.id = s.view_role_id) as viewed_role,
    array(select code from resource_off) as switched_off
  from session s join app_user u on u.id = s.user_id join merchant m on m.id = u.merchant_id
  where s.token_hash = $1`

type Touch = (tokenHash: Buffer, now: Date) => Promise<unknown>

/** @param touchSession notes that the session is in use */
export function sessionReader(pool: pg.Pool, log: Logger, touchSession: Touch): ReadSession {
  return async (tokenHash, now, touch, surface = 'web') => {
    const found = await pool.query<Row>(SELECT, [tokenHash, surface])
    const row = found.rows[0]
    if (!row || !isOpen(row, now)) return refuse(row?.end_reason === 'elsewhere' ? 'B1000' : 'S9999')
    if (touch && now.getTime() - row.last_seen_at.getTime() >= TOUCH_AFTER_MS) {
      // Not awaited: the caller's answer does not depend on it, and the next call tries again.
      touchSession(tokenHash, now).catch((err: unknown) => log.warn({ err }, 'session not touched'))
    }
    return actorOf(row, tokenHash)
  }
}

function isOpen(row: Row, now: Date): boolean {
  if (row.end_reason !== null || !row.is_active) return false
  const wholeEndMs = Math.min(row.ends_at.getTime(), row.created_at.getTime() + SESSION_WHOLE_MS)
  return now.getTime() < wholeEndMs && now.getTime() < row.last_seen_at.getTime() + SESSION_IDLE_MS
}

/** A role that was switched on and taken away since counts no more: all others count again. */
function actorOf(row: Row, tokenHash: Buffer): Actor {
  const active = row.roles.find(({ id }) => id === row.active_role_id)
  const counting = active ? [active] : row.roles
  const held = [...new Set(counting.flatMap(({ grants }) => grants))]
  const seen = row.viewed_role ? bothGrant(row.viewed_role.grants, held) : held
  return {
    userId: row.user_id,
    account: row.account,
    displayName: row.display_name,
    kind: row.kind,
    merchantId: row.merchant_id,
    grants: grantsWithout(seen, row.switched_off),
    roles: counting.map(({ name }) => name),
    roleChoices: row.roles.map(nameOf),
    activeRole: active ? nameOf(active) : null,
    viewedRole: row.viewed_role && nameOf(row.viewed_role),
    isViewingAs: row.viewed_role !== null,
    switchedOff: row.switched_off,
    language: row.language,
    tokenHash,
    ...limitOf(row),
  }
}

/** The own password comes first: an agreement is accepted by its person alone. */
function limitOf({ limited_to, owes_agreement }: Row): Pick<Actor, 'limitedTo'> {
  if (limited_to) return { limitedTo: limited_to }
  return owes_agreement ? { limitedTo: 'agreement' } : {}
}

const nameOf = ({ id, name }: RoleName): RoleName => ({ id, name })
