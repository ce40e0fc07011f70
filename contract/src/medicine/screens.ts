import { screen } from '../kernel/screen'

export const medicine = [
  screen('spgl/ypgl', 'medicine', 'list', 'medicine.read', { built: true }),
  screen('ypgl/yplb', 'medicine', 'list', 'medicine.read', { built: true }),
  screen('ypgl/ydsp', 'medicine', 'list', 'medicine.read', { built: true }),
  screen('ypgl/ypqx', 'batch', 'report', 'batch.read', { built: true }),
  screen('ypgl/yppc', 'batch', 'list', 'batch.read', { built: true }),
  screen('ypgl/ypyh', 'careRecord', 'list', 'careRecord.read', { built: true }),
  screen('ypgl/ypzhlb', 'combination', 'list', 'combination.read', { built: true }),
]
