import { screen } from '../kernel/screen'

export const purchase = [
  screen('jxcgl/wdgys', 'supplier', 'list', 'supplier.read', { built: true }),
  screen('jxcgl/gysspsz', 'supplier', 'list', 'supplier.read', { built: true }),
  screen('jxcgl/cgjh', 'purchasePlan', 'list', 'purchasePlan.read', { built: true }),
  screen('jxcgl/cgd', 'purchaseOrder', 'list', 'purchaseOrder.read', { built: true }),
  screen('jxcgl/rkdj', 'goodsReceipt', 'list', 'goodsReceipt.read', { built: true }),
  screen('jxcgl/sfk', 'supplierPayment', 'list', 'supplierPayment.read', { built: true }),
]
