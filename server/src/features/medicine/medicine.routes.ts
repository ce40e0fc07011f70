import * as contract from '@aisle/contract/medicine/medicine'
import { command, listOf, query, type Route } from '../../kernel/route'
import { addMedicine, editMedicine, whileMedicine } from './medicine.commands'
import { moveProduct, removeProduct } from '../catalog/public'
import { getMedicine, listMedicines } from './medicine.reads'

export const routes: Route[] = [
  ...listOf(contract.listMedicines, listMedicines),
  query(contract.getMedicine, getMedicine),
  command(contract.addMedicine, addMedicine),
  command(contract.editMedicine, editMedicine),
  command(contract.takeOffline, whileMedicine(moveProduct('takeOffline'))),
  command(contract.relist, whileMedicine(moveProduct('relist'))),
  command(contract.removeMedicine, whileMedicine(removeProduct)),
]
