import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

const allOfNone = { machines: { filter: {}, count: 1_000_000 } }

export const sight: SightCells = {
  hangsOn: {
    'grant-logs': 'merchant',
  },
  given: {
    'sight.grantToMerchant': allOfNone,
    'sight.grantToOrganisation': allOfNone,
    'sight.grantToUser': allOfNone,
    'sight.revokeFromMerchant': allOfNone,
    'sight.revokeFromOrganisation': allOfNone,
    'sight.revokeFromUser': allOfNone,
  },
  rows: {
    'grant-logs': addGrants,
  },
}

/** The unit, its person and the merchant have two entries each; the person sees the machines. */
async function addGrants(db: Reader, { at, merchantId, idOf, machines }: BranchBase): Promise<number> {
  const [userId, organisationId] = [await idOf('users'), await idOf('organisations')]
  const machineIds = machines.map(({ id }) => id)
  await sql`insert into machine_grant_user (machine_id, user_id)
    select unnest(${machineIds}::bigint[]), ${userId}`.execute(db)
  return inserted(
    db,
    sql`insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, machine_ids)
      select ${at}, ${userId}, 'grant', grantee, id, ${machineIds}
      from (values ('merchant', ${merchantId}::bigint), ('organisation', ${organisationId}), ('user', ${userId}))
        as to_whom(grantee, id), generate_series(1, 2)`,
  )
}
