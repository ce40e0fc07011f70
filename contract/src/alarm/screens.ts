import { screen } from '../kernel/screen'

export const alarm = [
  screen('shj/jqbj', 'alarm', 'list', 'alarm.read', { built: true }),
  screen('kcpd/jqqhbjsz', 'machine', 'form', 'machine.write', { built: true }),
]
