import { sql } from 'kysely'
import { inserted } from '../../testing/inserted'
import type { SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    suppliers: 'merchant',
    'supplier-products': 'merchant',
    'purchase-plans': 'merchant',
    'purchase-plan-lines': 'merchant',
    'purchase-orders': 'merchant',
    'goods-receipts': 'merchant',
    'supplier-invoices': 'merchant',
    'supplier-payments': 'merchant',
    'supplier-returns': 'merchant',
  },
  fields: {
    'purchase.revokePaper.paperId': null,
    supplierId: 'suppliers',
    orderId: 'purchase-orders',
    // Of the supplier that is named beside them (payable.test.ts asks).
    'purchase.addSupplierInvoice.payableIds': null,
    'purchase.paySupplier.parts.payableId': null,
    'purchase.addGoodsReceipt.warehouseId': 'warehouses',
    // Of the order or supplier that is named beside them (receipt.test.ts asks).
    'purchase.addGoodsReceipt.lines.productId': null,
    'purchase.addPurchaseOrder.warehouseId': 'warehouses',
    'purchase.editPurchaseOrder.warehouseId': 'warehouses',
    'purchase.addPurchasePlan.warehouseId': 'warehouses',
    // Of the product of the line (plan.test.ts asks).
    'purchase.changePurchasePlanLine.supplierProductId': null,
    // Of the supplier that is named beside them (order.test.ts asks).
    'purchase.addPurchaseOrder.lines.supplierProductId': null,
    'purchase.editPurchaseOrder.lines.supplierProductId': null,
    'purchase.addSupplierReturn.fromId': 'warehouses',
    // What lies there and came from the supplier (supplierReturn.test.ts asks).
    'purchase.addSupplierReturn.receiptId': null,
    'purchase.addSupplierReturn.lines.productId': null,
    'purchase.listSupplierProducts.productId': 'products',
    // Of the line of the supplier's merchant (supplier.test.ts asks).
    'purchase.addSupplierProduct.productId': null,
  },
  // Twice the same goods are refused once supplier and warehouse are found.
  given: {
    'purchase.addSupplierReturn': { lines: [1, 1].map((productId) => ({ productId, quantity: 1 })) },
    'purchase.addPaper': { validFrom: '2026-01-01', validTo: '2027-01-01' },
  },
  // No supplier of the family has shown a paper.
  nothingThere: ['purchase.revokePaper'],
  rows: {
    suppliers: (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into supplier (merchant_id, name, contact, created_at)
          values (${merchantId}, ${`${mark} wholesale`}, ${mark}, ${at})`,
      ),
    'purchase-plans': async (db, { merchantId, mark, at, idOf }) => {
      const warehouseId = await idOf('warehouses')
      return inserted(
        db,
        sql`insert into purchase_plan (merchant_id, no, warehouse_id, from_on, horizon_days, cover_days, has_medicine,
            machines, slots, note, maker, made_at)
          values (${merchantId}, ${`${mark} plan`}, ${warehouseId}, '2026-01-01', 14, 3, true, 1, 1, ${mark}, ${mark},
            ${at})`,
      )
    },
    'purchase-plan-lines': async (db, { machines, idOf }) => {
      const planId = await idOf('purchase-plans')
      return inserted(
        db,
        sql`insert into purchase_plan_line (plan_id, product_id, machines, slots, weekday, need_days, forecast, safety,
            slot_target, in_slots, in_store, in_bags, coming, unusable, proposed_packs, packs, short)
          values (${planId}, ${machines[0]?.slots[0]?.productId}, 1, 1, '{1,1,1,1,1,1,1}', 21, 21, 6, 5, 2, 0, 0, 0, 0,
            0, 0, 30)`,
      )
    },
    'purchase-orders': async (db, { merchantId, mark, at, idOf }) => {
      const [supplierId, warehouseId] = [await idOf('suppliers'), await idOf('warehouses')]
      return inserted(
        db,
        sql`insert into purchase_order (merchant_id, no, supplier_id, warehouse_id, due_on, note, maker, made_at)
          values (${merchantId}, ${`${mark} order`}, ${supplierId}, ${warehouseId}, '2026-12-01', ${mark}, ${mark},
            ${at})`,
      )
    },
    'goods-receipts': async (db, { merchantId, mark, at, idOf }) => {
      const [supplierId, warehouseId] = [await idOf('suppliers'), await idOf('warehouses')]
      return inserted(
        db,
        sql`insert into goods_receipt (merchant_id, no, supplier_id, warehouse_id, delivery_note, second, receiver,
            received_at)
          values (${merchantId}, ${`${mark} receipt`}, ${supplierId}, ${warehouseId}, ${mark}, '{noOrder}', ${mark},
            ${at})`,
      )
    },
    'supplier-invoices': async (db, { merchantId, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into supplier_invoice (merchant_id, supplier_id, number, issued_on, amount_fen, agreed_fen, note,
            writer, written_at)
          values (${merchantId}, ${await idOf('suppliers')}, ${`${mark} invoice`}, '2026-01-01', 100, 90, ${mark},
            ${mark}, ${at})`,
      ),
    'supplier-payments': async (db, { merchantId, mark, at, idOf }) =>
      inserted(
        db,
        sql`insert into supplier_payment (merchant_id, no, supplier_id, amount_fen, paid_on, bank_reference, note,
            writer, written_at)
          values (${merchantId}, ${`${mark} payment`}, ${await idOf('suppliers')}, 100, '2026-01-01', ${mark}, ${mark},
            ${mark}, ${at})`,
      ),
    'supplier-returns': async (db, { merchantId, mark, at, idOf }) => {
      const [supplierId, warehouseId] = [await idOf('suppliers'), await idOf('warehouses')]
      return inserted(
        db,
        sql`insert into supplier_return (merchant_id, no, supplier_id, warehouse_id, why, note, maker, made_at)
          values (${merchantId}, ${`${mark} return`}, ${supplierId}, ${warehouseId}, 'wrong', ${mark}, ${mark}, ${at})`,
      )
    },
    'supplier-products': async (db, { merchantId, machines, idOf, at }) => {
      const supplierId = await idOf('suppliers')
      return inserted(
        db,
        sql`insert into supplier_product (merchant_id, supplier_id, product_id, pack_units, lead_days, created_at)
          values (${merchantId}, ${supplierId}, ${machines[0]?.slots[0]?.productId}, 6, 3, ${at})`,
      )
    },
  },
}
