import { screen } from '../kernel/screen'

export const counting = [
  screen('kcpd/xlspkcpd', 'route', 'report', 'route.read'),
  screen('kcpd/jqspkcpd', 'machine', 'report', 'machine.read'),
  screen('kcpd/yyspkcpd', 'hospital', 'report', 'hospital.read'),
  screen('kcpd/jqhdkcpd', 'machine', 'form', 'machine.write'),
]
