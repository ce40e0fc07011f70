import * as contract from '@aisle/contract/purchase/supplierReturn'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as commands from './supplierReturn.commands'
import { findSupplierReturn, listSupplierReturnsIn } from './supplierReturn.reads'

export const routes: Route[] = [
  ...listOf(contract.listSupplierReturns, listSupplierReturnsIn),
  query(contract.getSupplierReturn, findSupplierReturn),
  command(contract.addSupplierReturn, commands.add),
  command(contract.approveSupplierReturn, commands.approve),
  command(contract.sendSupplierReturn, commands.send),
  command(contract.creditSupplierReturn, commands.credit),
  command(contract.cancelSupplierReturn, commands.cancel),
]
