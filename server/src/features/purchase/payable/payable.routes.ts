import * as contract from '@aisle/contract/purchase/payable'
import { command, listOf, query, type Route } from '../../../kernel/route'
import { findInvoice, findPayment, listInvoicesIn, listPaymentsIn } from './document.reads'
import { acceptInvoice, addInvoice, refuseInvoice } from './invoice.commands'
import { listBalancesIn, listPayablesIn } from './payable.reads'
import { approvePayment, pay, refusePayment, takeBackPayment } from './payment.commands'

export const routes: Route[] = [
  ...listOf(contract.listSupplierBalances, listBalancesIn),
  ...listOf(contract.listPayables, listPayablesIn),
  ...listOf(contract.listSupplierInvoices, listInvoicesIn),
  query(contract.getSupplierInvoice, findInvoice),
  command(contract.addSupplierInvoice, addInvoice),
  command(contract.acceptSupplierInvoice, acceptInvoice),
  command(contract.refuseSupplierInvoice, refuseInvoice),
  ...listOf(contract.listSupplierPayments, listPaymentsIn),
  query(contract.getSupplierPayment, findPayment),
  command(contract.paySupplier, pay),
  command(contract.approveSupplierPayment, approvePayment),
  command(contract.refuseSupplierPayment, refusePayment),
  command(contract.takeBackSupplierPayment, takeBackPayment),
]
