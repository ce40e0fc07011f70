import * as contract from '@aisle/contract/purchase/supplier'
import { record } from '../../admin/record'

export const suppliers = record({
  of: contract.supplier,
  list: contract.listSuppliers,
  get: contract.getSupplier,
  add: contract.addSupplier,
  edit: contract.editSupplier,
  moves: { stop: contract.stopSupplier, resume: contract.resumeSupplier },
  remove: contract.removeSupplier,
  isUnused: ({ productCount }) => productCount === 0,
})
