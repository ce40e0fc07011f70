import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { 'replenishment-orders': 'merchant' },
  fields: {
    'field.addReplenishmentOrder.warehouseId': 'warehouses',
    // Of the merchant of the warehouse that is named beside them (order.test.ts asks).
    'field.addReplenishmentOrder.replenisherId': null,
    'field.addReplenishmentOrder.routeId': null,
    'field.addReplenishmentOrder.machineIds': null,
    'field.editReplenishmentOrder.lines.slotId': null,
  },
  given: { 'field.addReplenishmentOrder': { routeId: null, machineIds: [] } },
  rows: {
    'replenishment-orders': async (db, { merchantId, mark, at, idOf }) => {
      const warehouseId = await idOf('warehouses')
      return inserted(
        db,
        sql`insert into replenishment_order (merchant_id, no, warehouse_id, replenisher, cover_days, note, maker,
            made_at)
          values (${merchantId}, ${`${mark} tour`}, ${warehouseId}, ${mark}, 3, ${mark}, ${mark}, ${at})`,
      )
    },
  },
}
