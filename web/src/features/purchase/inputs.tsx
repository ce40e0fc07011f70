import { listProducts } from '@aisle/contract/catalog/product'
import { listPurchaseOrders } from '@aisle/contract/purchase/order'
import { listSuppliers } from '@aisle/contract/purchase/supplier'
import { listWarehouses } from '@aisle/contract/stock/warehouse'
import { refInput } from '../../admin/form/refInput'

export const SupplierInput = refInput({
  list: listSuppliers,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})

export const ProductInput = refInput({
  list: listProducts,
  optionOf: ({ id, name, code, specification }) => ({ value: id, word: `${name} ${specification}`.trim(), note: code }),
})

export const WarehouseInput = refInput({
  list: listWarehouses,
  query: { state: 'active' },
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  wordOf: ({ warehouseName }) => (typeof warehouseName === 'string' ? warehouseName : undefined),
})

/** Orders whose goods are awaited. */
export const OrderInput = refInput({
  list: listPurchaseOrders,
  query: { awaited: 'yes' },
  optionOf: ({ id, no, supplierName }) => ({ value: id, word: no, note: supplierName }),
})
