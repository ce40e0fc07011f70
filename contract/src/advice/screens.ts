import { screen } from '../kernel/screen'

export const advice = [
  screen('yxch/sptj', 'product', 'list', 'product.read', { built: true }),
  screen('yxch/sptjxq', 'product', 'detail', 'product.read', { built: true }),
  screen('yxch/jgtj', 'product', 'list', 'product.read', { built: true }),
  screen('yxch/jgtjxq', 'product', 'detail', 'product.read', { built: true }),
]
