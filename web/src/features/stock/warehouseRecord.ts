import { listAssignees } from '@aisle/contract/alarm/alarm'
import * as contract from '@aisle/contract/stock/warehouse'
import { refInput } from '../../admin/form/refInput'
import { record } from '../../admin/record'

export const warehouses = record({
  of: contract.warehouse,
  list: contract.listWarehouses,
  get: contract.getWarehouse,
  add: contract.addWarehouse,
  edit: contract.editWarehouse,
  moves: { stop: contract.stopWarehouse, resume: contract.resumeWarehouse },
  remove: contract.removeWarehouse,
  also: [contract.summariseWarehouses],
  inputs: {
    keeperId: refInput({
      list: listAssignees,
      optionOf: ({ id, name, account }) => ({ value: id, word: name, note: account }),
      wordOf: ({ keeperName }) => (typeof keeperName === 'string' ? keeperName : undefined),
    }),
  },
  isUnused: ({ pieces }) => pieces === 0,
})
