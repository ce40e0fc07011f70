import { screen } from '../kernel/screen'

export const fleet = [
  screen('shj/wdshj', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/ztcx', 'machine', 'list', 'machine.read', { built: true }),
  screen('shj/jqxppz', 'machine', 'form', 'machine.write', { built: true }),
  screen('shj/dwgl', 'point', 'list', 'point.read', { built: true }),
  screen('shj/llk', 'flowCard', 'list', 'flowCard.read', { built: true }),
  screen('shj/yyztcx', 'hospital', 'list', 'hospital.read', { built: true }),
  screen('shj/qzsz', 'machineGroup', 'form', 'machineGroup.write', { built: true }),
  screen('shj/jqgzhsz', 'machine', 'form', 'machine.write', { built: true }),
  screen('shgl/yylb', 'hospital', 'list', 'hospital.read', { built: true }),
]
