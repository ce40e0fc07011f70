import { screen } from '../kernel/screen'

export const settlement = [
  screen('cfgl/jyjsmx', 'settlement', 'report', 'settlement.read', { built: true }),
  screen('cfgl/ptsxfsz', 'feeRule', 'form', 'settlement.read', { built: true }),
  screen('cwgl/cwjs', 'settlement', 'list', 'settlement.read', { built: true }),
  screen('cwgl/jyjs', 'order', 'list', 'order.read', { built: true }),
  screen('xtgl/rjs', 'settlement', 'list', 'settlement.read', { path: '/xtgl/zfsz/rjs', built: true }),
]
