/** Codes that the desk gave out of late: how many, for which of the merchant's usual goods, and what became of them. */
export const handedOut = [
  batch('周年庆礼券', { count: 300, goods: [0, 1] }),
  batch('门诊等候关怀', { count: 60, goods: [2], pickups: 3, places: 2, madeDaysAgo: 12 }),
  batch('国庆活动赠饮', { count: 40, goods: [0], madeDaysAgo: 55, goodForDays: -10, state: 'expired' }),
  batch('员工体检礼包', {
    count: 25,
    goods: [0, 1, 3],
    madeDaysAgo: 4,
    state: 'cancelled',
    reason: '数量报错，重新制作',
  }),
  batch('周末快闪', { count: 20, goods: [1], madeDaysAgo: 20, goodForDays: 4 }),
  batch('顾客补偿 · 卡货', { count: 1, goods: [0], madeDaysAgo: 2 }),
  batch('顾客补偿 · 商品破损', {
    count: 1,
    goods: [1],
    madeDaysAgo: 6,
    state: 'logged_out',
    reason: '已当面退款，收回',
  }),
  batch('开业体验券', { count: 80, goods: [0], merchant: 'NORTH', madeDaysAgo: 9 }),
  batch('会员生日礼', { count: 50, goods: [2, 2], merchant: 'SOUTH', madeDaysAgo: 15 }),
]

type Circumstances = {
  merchant: string
  count: number
  goods: readonly number[]
  pickups: number
  /** Points at which they are good; 0 is everywhere. */
  places: number
  madeDaysAgo: number
  goodForDays: number
  state: 'unused' | 'expired' | 'cancelled' | 'logged_out'
  reason: string
}

function batch(description: string, more: Partial<Circumstances>): Circumstances & { description: string } {
  return {
    merchant: 'EAST',
    count: 1,
    goods: [0],
    pickups: 1,
    places: 0,
    madeDaysAgo: 5,
    goodForDays: 175,
    state: 'unused',
    reason: '',
    ...more,
    description,
  }
}
