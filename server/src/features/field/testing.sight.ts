import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    'replenishment-orders': 'merchant',
    'visit-steps': 'merchant',
    'cash-collections': 'machine',
    'cash-deposits': 'merchant',
  },
  fields: {
    depositId: 'cash-deposits',
    'field.addReplenishmentOrder.warehouseId': 'warehouses',
    // Of the merchant of the warehouse that is named beside them (order.test.ts asks).
    'field.addReplenishmentOrder.replenisherId': null,
    'field.addReplenishmentOrder.routeId': null,
    'field.addReplenishmentOrder.machineIds': null,
    'field.editReplenishmentOrder.lines.slotId': null,
    'field.sendVisit.orderId': 'replenishment-orders',
    // A stop of the order that is named beside it (visit.test.ts asks).
    'field.sendVisit.machineId': null,
  },
  given: { 'field.addReplenishmentOrder': { routeId: null, machineIds: [] } },
  rows: {
    'cash-collections': async (db, { merchantId, machines, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into cash_collection (merchant_id, machine_id, box_no, taken_at, booked_at, taken_by, taker,
            expected_fen)
          values (${merchantId}, ${machines[0]?.id}, ${mark}, ${at}, ${at}, ${await idOf('users')}, ${mark}, 0)`,
      ),
    'cash-deposits': async (db, { merchantId, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into cash_deposit (merchant_id, slip_no, deposited_on, counted_fen, amount_fen, entered_by,
            depositor, entered_at)
          values (${merchantId}, ${mark}, ${at}::timestamptz::date, 500, 500, ${await idOf('users')}, ${mark}, ${at})`,
      ),
    'replenishment-orders': async (db, { merchantId, mark, at, idOf }) => {
      const warehouseId = await idOf('warehouses')
      return inserted(
        db,
        sql`insert into replenishment_order (merchant_id, no, warehouse_id, replenisher, cover_days, note, maker,
            made_at)
          values (${merchantId}, ${`${mark} tour`}, ${warehouseId}, ${mark}, 3, ${mark}, ${mark}, ${at})`,
      )
    },
    'visit-steps': async (db, { merchantId, machines, mark, at, idOf }) => {
      const orderId = await idOf('replenishment-orders')
      const userId = await idOf('users')
      const machineId = machines[0]?.id
      await sql`insert into replenishment_stop (order_id, machine_id, position)
        values (${orderId}, ${machineId}, 1)`.execute(db)
      const visitId = await inserted(
        db,
        sql`insert into visit (merchant_id, order_id, machine_id, opened_at)
          values (${merchantId}, ${orderId}, ${machineId}, ${at})`,
      )
      return inserted(
        db,
        sql`insert into visit_step (uuid, visit_id, phone, seq, kind, said, user_id, who, occurred_at, at, heard_at,
            answer, reason, is_booked)
          values (gen_random_uuid(), ${visitId}, gen_random_uuid(), 1, 'count', '{}', ${userId}, ${mark}, ${at}, ${at},
            ${at}, 'refused', 'visit.slot', false)`,
      )
    },
  },
}
