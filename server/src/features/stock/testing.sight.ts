import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: { 'write-offs': 'machine', warehouses: 'merchant', transfers: 'merchant', 'outbound-orders': 'merchant' },
  fields: {
    'stock.writeOffBatches.ids': 'expiring-batches',
    // Where they lie decides (writeOff.test.ts asks).
    'stock.writeOffGoods.lines.placeId': null,
    'stock.writeOffGoods.lines.productId': null,
    'stock.writeOffWholeBatch.productId': null,
    warehouseId: 'warehouses',
    'stock.sendTransfer.fromId': 'warehouses',
    'stock.sendTransfer.toId': 'warehouses',
    'stock.sendTransfer.lines.productId': null,
    'stock.listWarehouseStock.productId': 'products',
    'stock.listWarehouseMoves.productId': 'products',
    // Of the merchant of the warehouse that is named beside them (outbound.test.ts asks).
    'stock.addOutboundOrder.replenisherId': null,
    'stock.addOutboundOrder.lines.productId': null,
    'stock.editOutboundOrder.lines.productId': null,
    'stock.pickOutboundOrder.picks.productId': null,
    'stock.closeOutboundOrder.returns.productId': null,
    'stock.addWarehouse.keeperId': null,
    'stock.editWarehouse.keeperId': null,
  },
  // No goods of the family lie at the place and batch that are made up.
  nothingThere: ['stock.writeOffGoods', 'stock.writeOffWholeBatch'],
  given: {
    'stock.addWarehouse': { keeperId: null },
    'stock.editWarehouse': { keeperId: null },
    // Nobody's: goods that are made up would be looked for only after the person.
    'stock.addOutboundOrder': { replenisherId: 999_999_999 },
    'stock.addReading': { readAt: '2026-01-01T00:00:00Z', temperatureC: 20 },
  },
  rows: {
    warehouses: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`with p as (insert into place (merchant_id, kind, name) values (${merchantId}, 'warehouse', ${mark})
            returning id)
          insert into warehouse (merchant_id, place_id, name, created_at)
          select ${merchantId}, id, ${`${mark} store`}, ${at} from p`,
      ),
    transfers: async (db, { merchantId, mark, at, idOf }) => {
      const fromId = await idOf('warehouses')
      return inserted(
        db,
        sql`with p as (insert into place (merchant_id, kind, name) values (${merchantId}, 'warehouse', ${mark})
            returning id),
          other as (insert into warehouse (merchant_id, place_id, name, created_at)
            select ${merchantId}, id, ${`${mark} other store`}, ${at} from p returning id)
          insert into transfer (merchant_id, no, from_id, to_id, sender, sent_at)
          select ${merchantId}, ${`${mark} transfer`}, ${fromId}, id, ${mark}, ${at} from other`,
      )
    },
    'outbound-orders': async (db, { merchantId, mark, at, idOf }) => {
      const warehouseId = await idOf('warehouses')
      return inserted(
        db,
        sql`with p as (insert into place (merchant_id, kind, name) values (${merchantId}, 'replenisher', ${mark})
            returning id),
          b as (insert into bag (merchant_id, place_id) select ${merchantId}, id from p returning id)
          insert into outbound_order (merchant_id, no, warehouse_id, bag_id, note, maker, made_at)
          select ${merchantId}, ${`${mark} outbound`}, ${warehouseId}, id, ${mark}, ${mark}, ${at} from b`,
      )
    },
    'write-offs': (db, { merchantId, machines, mark, at }) =>
      inserted(
        db,
        sql`insert into write_off (merchant_id, place_id, product_id, batch, quantity, cost_fen, why, note, asker,
            asked_at)
          select ${merchantId}, place_id, product_id, 'B1', 1, 100, 'expired', ${`${mark} is out`}, ${mark}, ${at}
          from unnest(${machines.flatMap(({ slots }) => slots.slice(0, 1).map(({ placeId }) => placeId))}::bigint[])
            as place_id,
          (select product_id from slot where id = ${machines[0]?.slots[0]?.id}) p`,
      ),
  },
}
