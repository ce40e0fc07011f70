import * as contract from '@aisle/contract/purchase/payable'
import { listPage } from '../../admin/listPage'
import { AddInvoice, PaySupplier } from './payableVerbs'
import { InvoiceDrawer, PaymentDrawer } from './payableDrawers'

const common = { screen: 'jxcgl/sfk', words: 'purchase' as const }
const kinds = ['goodsReceipt', 'supplierInvoice', 'supplierPayment', 'supplierReturn']

export const PayableList = listPage({
  ...common,
  part: 'payables',
  list: contract.listPayables,
  fields: contract.payableFields,
  columns: [
    'supplierName',
    'state',
    'marks',
    'amountFen',
    'openFen',
    'payBy',
    'receiptNo',
    'returnNo',
    'invoiceNumber',
    'paidFen',
    'waitingFen',
    'kind',
    'bookedAt',
    'merchantName',
  ],
  hidden: ['returnNo', 'waitingFen', 'kind', 'bookedAt', 'merchantName'],
  sortable: { payBy: 'payBy', bookedAt: 'newest' },
  filters: ['q', 'state', 'toPay'],
  moreFilters: ['left', 'merchantId'],
  presets: [
    { name: 'unpaid', query: () => ({ toPay: 'overdue' }) },
    { name: 'dueSoon', query: () => ({ toPay: 'week' }) },
  ],
  sums: ({ amountFen, openFen }) => ({ amountFen, openFen }),
  actions: Actions,
  live: { kinds, also: [] },
})

function Actions() {
  return (
    <>
      <AddInvoice />
      <PaySupplier />
    </>
  )
}

export const BalanceList = listPage({
  ...common,
  part: 'balances',
  list: contract.listSupplierBalances,
  fields: contract.supplierBalanceFields,
  columns: ['supplierName', 'owedFen', 'overdueFen', 'nextDue', 'openCount', 'merchantName'],
  filters: ['q'],
  moreFilters: ['merchantId'],
  sums: ({ owedFen, overdueFen }) => ({ owedFen, overdueFen }),
  live: { kinds, also: [] },
})

export const InvoiceList = listPage({
  ...common,
  part: 'invoices',
  list: contract.listSupplierInvoices,
  fields: contract.supplierInvoiceFields,
  columns: [
    'number',
    'supplierName',
    'state',
    'issuedOn',
    'amountFen',
    'agreedFen',
    'differenceFen',
    'writer',
    'writtenAt',
    'decider',
    'decidedAt',
    'note',
    'merchantName',
  ],
  hidden: ['writtenAt', 'decidedAt', 'note', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'toAccept', query: () => ({ state: 'waiting' }) }],
  sums: ({ amountFen, differenceFen }) => ({ amountFen, differenceFen }),
  actions: AddInvoice,
  drawer: InvoiceDrawer,
  live: { kinds, also: [contract.getSupplierInvoice] },
})

export const PaymentList = listPage({
  ...common,
  part: 'payments',
  list: contract.listSupplierPayments,
  fields: contract.supplierPaymentFields,
  columns: [
    'no',
    'supplierName',
    'state',
    'amountFen',
    'paidOn',
    'bankReference',
    'writer',
    'writtenAt',
    'decider',
    'decidedAt',
    'note',
    'merchantName',
  ],
  hidden: ['writtenAt', 'decidedAt', 'note', 'merchantName'],
  filters: ['q', 'state'],
  moreFilters: ['merchantId'],
  presets: [{ name: 'toApprove', query: () => ({ state: 'waiting' }) }],
  sums: ({ amountFen }) => ({ amountFen }),
  actions: PaySupplier,
  drawer: PaymentDrawer,
  live: { kinds, also: [contract.getSupplierPayment] },
})
