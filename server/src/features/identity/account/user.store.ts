import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getUserInfo } from '@aisle/contract/identity/session'
import { grantsWithout } from '@aisle/contract/permissions'
import { sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { only } from '../../../kernel/must'
import type { SealedCredential } from '../password/credential'

/** Nobody's id: of the row that stands in for an account that isn't there. */
export const NOBODY = 0

export type SignInUser = {
  userId: number
  sealed: SealedCredential
  /** As `kdfText` writes it. */
  kdf: string
  isEnabled: boolean
}

/**
 * Always one row of one size: for an account that can't sign in, `decoy` and `kdf` fill it, so that answering takes
 * the same work either way.
 */
export async function findToSignIn(
  db: Reader,
  account: string,
  decoy: SealedCredential,
  kdf: string,
): Promise<SignInUser> {
  const found = await sql<{
    user_id: number
    stored_key: Buffer
    server_key: Buffer
    kdf: string
    is_enabled: boolean
  }>`
    select coalesce(c.user_id, ${NOBODY}) as user_id, coalesce(c.kdf, ${kdf}) as kdf,
      coalesce(c.stored_key, ${decoy.storedKey}) as stored_key,
      coalesce(c.server_key, ${decoy.serverKey}) as server_key,
      coalesce(u.state = 'active' and m.state = 'active', false) as is_enabled
    from (values (${account}::text)) as asked (account)
      left join app_user u on u.account = asked.account
      left join credential c on c.user_id = u.id
      left join merchant m on m.id = u.merchant_id`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error('the stand-in row is missing')
  return {
    userId: row.user_id,
    sealed: { storedKey: row.stored_key, serverKey: row.server_key },
    kdf: row.kdf,
    isEnabled: row.is_enabled,
  }
}

/** What a fresh web session of the user may do: with all of their Web roles, without what is switched off. */
export async function rightsOf(db: Reader, userId: number): Promise<{ merchantId: number; grants: string[] }> {
  const found = await sql<{ merchantId: number; grants: string[]; off: string[] }>`
    select u.merchant_id as "merchantId", array(select code from resource_off) as off,
      array(select distinct p.permission from user_role ur join role r on r.id = ur.role_id
        join role_permission p on p.role_id = r.id where ur.user_id = u.id and r.surface = 'web') as grants
    from app_user u where u.id = ${userId}`.execute(db)
  const [row] = found.rows
  if (!row) throw new Error(`no user ${userId}`)
  return { merchantId: row.merchantId, grants: grantsWithout(row.grants, row.off) }
}

/** Of all roles, wherever they count: a call says by itself where it comes from. */
export async function grantsAnywhere(db: Reader, userId: number): Promise<string[]> {
  const found = await sql<{ grants: string[]; off: string[] }>`select array(select code from resource_off) as off,
    array(select distinct permission from user_role join role_permission using (role_id)
      where user_id = ${userId}) as grants`.execute(db)
  const { grants, off } = only(found)
  return grantsWithout(grants, off)
}

type Merchant = OutputOf<typeof getUserInfo>['merchant']

export async function merchantOf(db: Reader, merchantId: number): Promise<Merchant> {
  const found = await sql<Merchant>`
    select id, code, name, parent_id is null as "isPlatform" from merchant where id = ${merchantId}`.execute(db)
  const [merchant] = found.rows
  if (!merchant) throw new Error(`no merchant ${merchantId}`)
  return merchant
}

/** The person's own telephone, '' without one. */
export async function phoneOf(db: Reader, userId: number): Promise<string> {
  const found = await sql<{ phone: string | null }>`select phone from app_user where id = ${userId}`.execute(db)
  return found.rows[0]?.phone ?? ''
}
