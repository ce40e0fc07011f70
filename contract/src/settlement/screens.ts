import { screen } from '../kernel/screen'

export const settlement = [
  screen('cfgl/jyjsmx', 'order', 'report', 'order.read'),
  screen('cfgl/ptsxfsz', 'feeRule', 'form', 'feeRule.write'),
  screen('cwgl/cwjs', 'settlement', 'list', 'settlement.read'),
  screen('cwgl/jyjs', 'order', 'list', 'order.read'),
  screen('xtgl/rjs', 'settlement', 'list', 'settlement.read', { path: '/xtgl/zfsz/rjs', built: true }),
]
