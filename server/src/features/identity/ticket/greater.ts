import { isCovered, reach, type UserKind } from '@aisle/contract/identity/permissions'
import { sql } from 'kysely'
import type { Actor, QueryContext, Reader } from '../../../kernel/context'
import { refuse } from '../../../kernel/refuse'
import { exceedsSight, keptOfUser, sightOf } from '../../../kernel/scope'

type Asking = Pick<QueryContext, 'actor' | 'db'>

/**
 * The one rule of who may touch an account, in whatever way: who could sign in as it, or read its codes, would have
 * what it has, so the actor sees every machine and holds every right of it. Also what it would have again once a
 * unit, a merchant or a function that is stopped goes on. @returns true where there is no such account
 */
export async function isGreater({ actor, db }: Asking, userId: number): Promise<boolean> {
  const found = await sql<{ kind: UserKind; grants: string[]; seesMore: boolean }>`
    select u.kind, ${exceedsSight(sightOf(actor), keptOfUser(userId))} as "seesMore",
      array(select p.permission from user_role ur join role_permission p using (role_id)
        where ur.user_id = u.id) as grants
    from app_user u where u.id = ${userId} and u.kind <> 'program'`.execute(db)
  const [other] = found.rows
  if (!other || other.seesMore || reach[other.kind] > reach[actor.kind]) return true
  return !isCovered(await grantsOf(db, actor), other.grants)
}

/** Of the roles that count in the session, with what is switched off for everybody for the moment. */
async function grantsOf(db: Reader, { activeRole, grants, roleChoices, userId }: Actor): Promise<string[]> {
  const counting = (activeRole ? [activeRole] : roleChoices).map(({ id }) => id)
  const found = await sql<{ permission: string }>`
    select p.permission from user_role ur join role_permission p using (role_id)
    where ur.user_id = ${userId} and ur.role_id = any(${counting}::bigint[])`.execute(db)
  return [...grants, ...found.rows.map(({ permission }) => permission)]
}

/** Before an account is touched. @throws Refusal account.holdsMore */
export async function refuseGreater(ctx: Asking, userId: number): Promise<void> {
  if (await isGreater(ctx, userId)) refuse('account.holdsMore')
}

/** After an account was made, moved or given something: nobody gives what they don't have. */
export async function refuseMadeGreater(ctx: Asking, userId: number): Promise<void> {
  if (await isGreater(ctx, userId)) refuse('account.wouldHoldMore')
}

/** A browser that was left open could else put away what it can't prove: one's own takes its own proof. */
export function refuseOwn({ userId }: Pick<Actor, 'userId'>, of: number): void {
  if (of === userId) refuse('account.own')
}
