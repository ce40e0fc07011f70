import { screen } from '../kernel/screen'

export const purchase = [
  screen('jxcgl/wdgys', 'supplier', 'list', 'supplier.read'),
  screen('jxcgl/gysspsz', 'supplier', 'form', 'supplier.write'),
  screen('jxcgl/cgjh', 'purchasePlan', 'list', 'purchasePlan.read'),
  screen('jxcgl/cgd', 'purchaseOrder', 'list', 'purchaseOrder.read'),
  screen('jxcgl/rkdj', 'goodsReceipt', 'form', 'goodsReceipt.write'),
  screen('jxcgl/sfk', 'supplierPayment', 'list', 'supplierPayment.read'),
]
