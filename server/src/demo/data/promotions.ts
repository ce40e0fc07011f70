import type { CallOf } from '@aisle/contract/kernel/endpoint'
import type { addBooking } from '@aisle/contract/advert/booking'
import type { addCodePlan } from '@aisle/contract/promotion/code'
import type { addCouponPlan } from '@aisle/contract/promotion/coupon'
import type { addPlan } from '@aisle/contract/promotion/plan'

/** What customers get; the first is for goods that few machines hold. */
export const usualPlans: readonly (CallOf<typeof addPlan> & { isOfFew?: true })[] = [
  { name: '尝鲜九折', kind: 'rate', paidPercent: 90, isOfFew: true },
  { name: '满 20 减 3', kind: 'threshold', leastFen: 2000, amountFen: 300, perOrder: 1, priority: 6, maxUses: 2000 },
  { name: '会员九折', kind: 'rate', paidPercent: 90, levels: [2, 3, 4, 5], priority: 4 },
]
export const thoughtAbout: CallOf<typeof addPlan> = {
  name: '第二件半价',
  kind: 'nth',
  pieces: 2,
  paidPercent: 50,
  priority: 7,
}

const off = { kind: 'threshold', stacks: true, priority: 8 } as const

export const couponPlan: CallOf<typeof addCouponPlan> = {
  ...off,
  name: '新客满 10 减 2',
  leastFen: 1000,
  amountFen: 200,
  validDays: 60,
  maxIssued: 5000,
  perMember: 1,
}
export const posterPlan = {
  ...off,
  name: '地铁海报满 15 减 3',
  leastFen: 1500,
  amountFen: 300,
} satisfies Partial<CallOf<typeof addCodePlan>>

type Booking = CallOf<typeof addBooking>

/** What an operator has sold of its screens, with the shape of a product for a picture. */
export const bookings: readonly (Omit<Booking, 'creativeIds' | 'startsOn' | 'endsOn'> & {
  shape: string
  creative: string
})[] = [
  {
    shape: 'water',
    creative: '山泉水上新',
    name: '山泉水开年',
    advertiser: '江南山泉饮品',
    contractNo: 'GG-2601',
    fromHour: 0,
    toHour: 24,
    playsPerHour: 30,
    priceKind: 'play',
    priceFen: 2,
  },
  {
    shape: 'bar',
    creative: '下午茶零食',
    name: '下午茶时段',
    advertiser: '麦香食品',
    contractNo: 'GG-2602',
    fromHour: 9,
    toHour: 21,
    playsPerHour: 20,
    priority: 3,
    priceKind: 'machine_day',
    priceFen: 600,
  },
]
