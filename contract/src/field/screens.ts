import { screen } from '../kernel/screen'

export const field = [
  screen('kcpd/bhjl', 'replenishment', 'list', 'replenishment.read'),
  screen('jxcgl/bhd', 'replenishmentOrder', 'list', 'replenishmentOrder.read'),
]
