import { screen } from '../kernel/screen'

export const catalog = [
  screen('spgl/wdsp', 'product', 'list', 'product.read', { built: true }),
  screen('spgl/xzsp', 'product', 'form', 'product.write', { built: true }),
  screen('spgl/ptspk', 'product', 'list', 'product.read', { built: true }),
  screen('spgl/spxsph', 'product', 'report', 'product.read', { built: true }),
  screen('spgl/spfl', 'category', 'list', 'category.read', { built: true }),
  screen('ypgl/ypfl', 'category', 'list', 'category.read', { built: true }),
  screen('ypgl/ypzhfl', 'combinationCategory', 'list', 'category.read', { built: true }),
  screen('ypgl/bqbkfl', 'conditionCategory', 'list', 'category.read', { built: true }),
]
