import { screen } from '../kernel/screen'

export const stock = [
  screen('jxcgl/ccgl', 'warehouse', 'list', 'warehouse.read', { built: true }),
  screen('jxcgl/chd', 'outboundOrder', 'list', 'outboundOrder.read', { built: true }),
  screen('jxcgl/bs', 'writeOff', 'list', 'writeOff.read', { built: true }),
]
