import * as contract from '@aisle/contract/purchase/payable'
import { partsPage } from '../../shelf/partsPage'
import { BalanceList, InvoiceList, PayableList, PaymentList } from './payableLists'

/** For accountants, weekly: what is owed to whom and until when, what invoices say otherwise, and what was paid. */
export default partsPage({
  screen: 'jxcgl/sfk',
  words: 'purchase',
  parts: [
    { key: 'payables', access: contract.listPayables.access, page: PayableList },
    { key: 'balances', access: contract.listSupplierBalances.access, page: BalanceList },
    { key: 'invoices', access: contract.listSupplierInvoices.access, page: InvoiceList },
    { key: 'payments', access: contract.listSupplierPayments.access, page: PaymentList },
  ],
})
