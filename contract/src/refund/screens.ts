import { screen } from '../kernel/screen'

export const refund = [
  screen('cfgl/wtddgl', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/tkgl', 'refund', 'list', 'refund.read', { built: true }),
]
