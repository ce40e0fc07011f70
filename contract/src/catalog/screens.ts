import { screen } from '../kernel/screen'

export const catalog = [
  screen('spgl/wdsp', 'product', 'list', 'product.read'),
  screen('spgl/xzsp', 'product', 'form', 'product.write'),
  screen('spgl/ptspk', 'product', 'list', 'product.read'),
  screen('spgl/spxsph', 'product', 'report', 'product.read'),
  screen('spgl/spfl', 'category', 'list', 'category.read'),
]
