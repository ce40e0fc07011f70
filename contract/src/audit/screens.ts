import { screen } from '../kernel/screen'

export const audit = [
  screen('xtgl/rzgl', 'log', 'list', 'log.read', { built: true }),
  screen('xtgl/xtbjjl', 'systemAlarm', 'list', 'systemAlarm.read', { built: true }),
]
