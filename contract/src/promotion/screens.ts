import { screen } from '../kernel/screen'

export const promotion = [
  screen('yxch/yxfagl', 'promotionPlan', 'list', 'promotionPlan.read', { built: true }),
  screen('yxch/zkgl', 'discount', 'list', 'discount.read', { built: true }),
  screen('yxch/yxjhgl', 'promotionPlan', 'list', 'promotionPlan.read'),
  screen('yxch/yhqgl', 'coupon', 'list', 'coupon.read', { built: true }),
  screen('yxch/yhqmx', 'coupon', 'list', 'coupon.read', { built: true }),
  screen('yxch/famc', 'promotionPlan', 'detail', 'promotionPlan.read', { built: true }),
  screen('yxch/yhmmx', 'promotionCode', 'list', 'promotionCode.read', { built: true }),
  screen('yxch/yhmgl', 'promotionCode', 'list', 'promotionCode.read', { built: true }),
  screen('yxch/sptj', 'product', 'list', 'product.read'),
  screen('yxch/sptjxq', 'product', 'detail', 'product.read'),
  screen('yxch/jgtj', 'product', 'list', 'product.read'),
  screen('yxch/jgtjxq', 'product', 'detail', 'product.read'),
  screen('yxch/yhq', 'coupon', 'form', 'coupon.write', { built: true }),
  screen('ypgl/zksp', 'discount', 'list', 'discount.read', { built: true }),
]
