import { sql } from 'kysely'
import type { Actor, Reader } from '../../kernel/context'

type Row = Pick<Actor, 'account' | 'displayName' | 'kind' | 'merchantId' | 'language'> & { grants: string[] }

/** The person as they may see now, not as they could when they asked; nobody when they are no longer let in. */
export async function actorOf(db: Reader, userId: number): Promise<Actor | null> {
  const found = await sql<Row>`
    select u.account, u.display_name as "displayName", u.kind, u.merchant_id as "merchantId", u.language,
      array(select distinct p.permission from user_role ur join role r on r.id = ur.role_id and r.surface = 'web'
        join role_permission p on p.role_id = r.id where ur.user_id = u.id) as grants
    from app_user u join merchant m on m.id = u.merchant_id
    where u.id = ${userId} and u.state = 'active' and m.state = 'active'`.execute(db)
  const row = found.rows[0]
  if (!row) return null
  const noRole = { roles: [], roleChoices: [], activeRole: null, viewedRole: null, isViewingAs: false, switchedOff: [] }
  return { ...row, ...noRole, userId, tokenHash: Buffer.alloc(0) }
}
