import { screen } from '../kernel/screen'

export const field = [
  screen('jxcgl/bhd', 'replenishmentOrder', 'list', 'replenishmentOrder.read', { built: true }),
  screen('cfgl/xjqd', 'cashCollection', 'list', 'cashCollection.read', { built: true }),
]
