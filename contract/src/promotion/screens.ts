import { screen } from '../kernel/screen'

export const promotion = [
  screen('yxch/yxfagl', 'promotionPlan', 'list', 'promotionPlan.read', { built: true }),
  screen('yxch/zkgl', 'discount', 'list', 'discount.read', { built: true }),
  screen('yxch/yxjhgl', 'campaign', 'list', 'promotionPlan.read', { built: true }),
  screen('yxch/yhqgl', 'coupon', 'list', 'coupon.read', { built: true }),
  screen('yxch/yhqmx', 'coupon', 'list', 'coupon.read', { built: true }),
  screen('yxch/famc', 'promotionPlan', 'detail', 'promotionPlan.read', { built: true }),
  screen('yxch/yhmmx', 'promotionCode', 'list', 'promotionCode.read', { built: true }),
  screen('yxch/yhmgl', 'promotionCode', 'list', 'promotionCode.read', { built: true }),
  screen('yxch/yhq', 'coupon', 'form', 'coupon.write', { built: true }),
  screen('ypgl/zksp', 'discount', 'list', 'discount.read', { built: true }),
]
