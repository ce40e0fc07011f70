import type { getLicence, LicenceHolder, LicenceKind } from '@aisle/contract/merchant/licence'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { machineInSight, type Sight } from '../../kernel/scope'

type Hangs = OutputOf<typeof getLicence>['hangs']

type Held = {
  merchantId: number
  holderKind: LicenceHolder
  kind: LicenceKind
  machineId: number | null
  userId: number | null
}

const SHOWN = 20

/** The machines in sight that may not go on selling without the licence. */
export async function hangsOn(db: Reader, sight: Sight, licence: Held): Promise<Hangs> {
  const found = await sql<{ id: number; code: string; name: string; count: number }>`
    select m.id, m.code, m.name, count(*) over ()::int as count from machine m
    where ${machinesOf(licence)} and ${machineInSight(sight, sql`m.id`)} order by m.code
    limit ${sql.lit(SHOWN)}`.execute(db)
  return {
    machines: found.rows.map(({ id, code, name }) => ({ id, code, name })),
    machineCount: found.rows[0]?.count ?? 0,
  }
}

const medicines = sql`m.licence_mode <> 'none'`
const foods = sql`m.category <> 'medicine'`

/** A trade licence carries the merchant's machines that sell what it is for; the others those that they name. */
function machinesOf({ merchantId, holderKind, kind, machineId, userId }: Held): RawBuilder<unknown> {
  if (holderKind === 'site') {
    return sql`m.point_id = (select point_id from machine where id = ${machineId})`
  }
  if (holderKind === 'doctor') {
    return sql`m.id in (select machine_id from machine_grant_user where user_id = ${userId}) and ${medicines}`
  }
  const own = sql`m.merchant_id = ${merchantId}`
  if (kind === 'business') return own
  return sql`${own} and ${kind === 'food_trade' ? foods : medicines}`
}
