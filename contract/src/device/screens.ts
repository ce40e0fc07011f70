import { screen } from '../kernel/screen'

export const device = [
  screen('shj/jqzc', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/jqcs', 'machine', 'form', 'machine.operate', { built: true }),
  screen('jygl/ycchjl', 'command', 'list', 'command.read', { built: true }),
]
