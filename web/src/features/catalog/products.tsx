import * as contract from '@aisle/contract/catalog/product'
import { record } from '../../admin/record'

export const products = record({
  of: contract.product,
  list: contract.listProducts,
  get: contract.getProduct,
  add: contract.addProduct,
  edit: contract.editProduct,
  remove: contract.removeProduct,
})
