/**
 * One colour a payment method, the same in every chart of the product. Each has a contrast of at least 3:1 to white and
 * to the wallboard's night blue, and none stands alone: charts write the name beside it.
 */
export const methodColours = {
  alipay: '#2f7df4',
  wechat: '#12a150',
  unionpay: '#e5484d',
  pickup_code: '#8f66f0',
  member_card: '#c47f00',
  cash: '#0f93a3',
  other: '#7b8798',
}
