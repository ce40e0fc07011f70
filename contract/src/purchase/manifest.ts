import { type Manifest, endpointsIn, exportable } from '../kernel/manifest'
import * as orderCalls from './order'
import * as payableCalls from './payable'
import * as planCalls from './plan'
import * as receiptCalls from './receipt'
import * as supplierCalls from './supplier'
import * as productCalls from './supplierProduct'
import * as returnCalls from './supplierReturn'

export const purchase: Manifest = {
  endpoints: endpointsIn([supplierCalls, productCalls, planCalls, orderCalls, receiptCalls, payableCalls, returnCalls]),
  exports: [
    exportable(supplierCalls.listSuppliers, supplierCalls.supplier.fields, 'purchase', 'jxcgl/wdgys'),
    exportable(planCalls.listPurchasePlans, planCalls.purchasePlanFields, 'purchase', 'jxcgl/cgjh'),
    exportable(planCalls.listPurchasePlanLines, planCalls.purchasePlanLineFields, 'purchase', 'jxcgl/cgjh'),
    exportable(orderCalls.listPurchaseOrders, orderCalls.purchaseOrderFields, 'purchase', 'jxcgl/cgd'),
    exportable(receiptCalls.listGoodsReceipts, receiptCalls.goodsReceiptFields, 'purchase', 'jxcgl/rkdj'),
    exportable(payableCalls.listPayables, payableCalls.payableFields, 'purchase', 'jxcgl/sfk'),
    exportable(payableCalls.listSupplierBalances, payableCalls.supplierBalanceFields, 'purchase', 'jxcgl/sfk'),
    exportable(payableCalls.listSupplierInvoices, payableCalls.supplierInvoiceFields, 'purchase', 'jxcgl/sfk'),
    exportable(payableCalls.listSupplierPayments, payableCalls.supplierPaymentFields, 'purchase', 'jxcgl/sfk'),
    exportable(returnCalls.listSupplierReturns, returnCalls.supplierReturnFields, 'purchase', 'jxcgl/bs'),
    exportable(productCalls.listSupplierProducts, productCalls.supplierProduct.fields, 'purchase', 'jxcgl/gysspsz'),
  ],
}
