import { screen } from '../kernel/screen'

export const trade = [
  screen('jygl/ddgl', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/jqjymx', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/ddcx', 'order', 'list', 'order.read', { built: true }),
  screen('jygl/chcx', 'shipResult', 'list', 'shipResult.read', { built: true }),
  screen('jygl/chmx', 'shipResult', 'list', 'shipResult.read', { built: true }),
]
