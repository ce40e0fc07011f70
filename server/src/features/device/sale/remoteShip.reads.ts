import type { getRemoteShip, listRemoteShips, RemoteShip } from '@aisle/contract/device/remoteShip'
import type { InputOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../kernel/context'
import { allOf, holds, isAnyOf, type Listing, listRows } from '../../../kernel/list'
import { withinDays } from '../../../kernel/platformDays'
import { machineInSight, type Sight } from '../../../kernel/scope'
import { iso } from '../command/command.reads'

type Filter = InputOf<typeof listRemoteShips>

const rowsInSight = (sight: Sight): RawBuilder<RemoteShip> => sql`
  select r.id, r.created_at, ${iso(sql`r.created_at`)} as "createdAt", r.machine_id as "machineId",
    m.code as "machineCode", m.name as "machineName", owner.name as "merchantName", r.slot_code as "slotCode",
    p.id as "productId", p.name as "productName", r.state,
    case when r.order_id is null then 'free' else 'order' end as kind, n.order_no as "orderNo",
    r.item_index as "itemIndex", r.customer, r.reason, r.cost_fen as "costFen",
    r.motor_code as "motorCode", r.sensor_code as "sensorCode", r.detail, u.display_name as "createdBy",
    ${iso(sql`r.received_at`)} as "receivedAt", ${iso(sql`r.finished_at`)} as "finishedAt",
    coalesce(c.seq, 0) as "commandId", ${iso(sql`c.sent_at`)} as "sentAt"
  from remote_ship r join machine m on m.id = r.machine_id join merchant owner on owner.id = m.merchant_id
  join product p on p.id = r.product_id left join app_user u on u.id = r.created_by
  left join order_number n on n.order_id = r.order_id left join device_command c on c.id = r.command_id
  where ${machineInSight(sight, sql`r.machine_id`)}`

const filterOf = (filter: Filter): RawBuilder<boolean> => {
  const { machineCode, orderNo, state, kind, createdBy } = filter
  return allOf([
    machineCode && sql`"machineCode" = ${machineCode}`,
    orderNo && sql`"orderNo" = ${orderNo}`,
    isAnyOf(sql`state`, state),
    isAnyOf(sql`kind`, kind),
    createdBy && holds(sql`"createdBy"`, createdBy),
    ...withinDays(sql`created_at`, filter),
  ])
}

export const listRemoteShipsIn = (sight: Sight, filter: Filter): Listing<RemoteShip> =>
  listRows({
    rows: rowsInSight(sight),
    where: filterOf(filter),
    order: { by: sql`id`, type: 'bigint', newestFirst: true },
    sums: sql`coalesce(sum("costFen") filter (where kind = 'free' and state = 'dispensed'), 0)::bigint as "costFen"`,
    isCountedWhole: true,
  })

export async function findRemoteShipDetail(
  db: Reader,
  sight: Sight,
  id: number,
): Promise<OutputOf<typeof getRemoteShip> | undefined> {
  const found = await sql<OutputOf<typeof getRemoteShip>>`select *
    from (${rowsInSight(sight)}) seen where id = ${id}`.execute(db)
  return found.rows[0]
}
