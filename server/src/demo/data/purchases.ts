/** Of whom the operator and its pharmacy buy, and where it is put. */
export const sources = [
  { merchant: 'EAST', name: '杭州百味食品批发有限公司', warehouse: '临平中心仓', kind: 'goods', packUnits: 24 },
  { merchant: 'EASTRX', name: '浙江康源医药有限公司', warehouse: '药品常温仓', kind: 'medicine', packUnits: 10 },
] as const
export type Source = (typeof sources)[number]

export const papersOf = {
  goods: ['business', 'foodTrade'],
  medicine: ['business', 'medicineTrade', 'quality', 'sales'],
} as const
