import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import type { getCustomerAddress } from '@aisle/contract/support/customer'
import { publicAddress } from '@aisle/contract/system/settings'
import { sql } from 'kysely'
import type { QueryContext, Services } from '../../../kernel/context'
import { machineRowInSight, sightOf } from '../../../kernel/scope'
import { atSite, settingOf } from '../../../kernel/settings'
import { codeOf, machineIn } from './code'

/** Where a customer stands; all of it is written on the machine or stands around it. */
export type Place = {
  machineId: number
  machineCode: string
  merchantId: number
  machineName: string
  pointName: string
  timeZone: string
}

/** @param code from the address; undefined for what nobody here has signed, and for a machine that is gone */
export async function placeOf({ db, keys }: Services, code: string): Promise<Place | undefined> {
  const machineCode = machineIn(keys, code)
  if (machineCode === null) return undefined
  const found = await sql<Place>`select m.id as "machineId", m.code as "machineCode", m.merchant_id as "merchantId",
      m.name as "machineName", p.name as "pointName", m.time_zone as "timeZone"
    from machine m join point p on p.id = m.point_id
    where m.code = ${machineCode} and m.retired_at is null`.execute(db)
  return found.rows[0]
}

type Address = OutputOf<typeof getCustomerAddress>

/** What stands in the code on the machine. */
export async function addressOf(ctx: QueryContext, id: number): Promise<Address | undefined> {
  const found = await sql<{ code: string; merchantId: number }>`select m.code, m.merchant_id as "merchantId"
    from machine m where m.id = ${id} and ${machineRowInSight(sightOf(ctx.actor), 'm')}`.execute(ctx.db)
  const machine = found.rows[0]
  if (!machine) return undefined
  const path = `/c/${codeOf(ctx.services.keys, machine.code)}`
  const world = await settingOf(ctx.db, publicAddress, machine.merchantId)
  return { path, address: atSite(world, path) }
}
