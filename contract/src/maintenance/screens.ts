import { screen } from '../kernel/screen'

export const maintenance = [
  screen('shj/bywx', 'repairOrder', 'list', 'repairOrder.read', { built: true }),
  screen('shj/zdfx', 'machine', 'report', 'machine.read', { built: true }),
]
