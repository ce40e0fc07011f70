import { screen } from '../kernel/screen'

export const medicine = [
  screen('spgl/ypgl', 'medicine', 'list', 'medicine.read'),
  screen('ypgl/yplb', 'medicine', 'list', 'medicine.read'),
  screen('ypgl/ydsp', 'medicine', 'list', 'medicine.read'),
  screen('ypgl/ypqx', 'batch', 'report', 'batch.read'),
  screen('ypgl/yppc', 'batch', 'list', 'batch.read'),
  screen('ypgl/ypyh', 'careRecord', 'list', 'careRecord.read'),
  screen('ypgl/ypzhfl', 'combinationCategory', 'list', 'combinationCategory.read'),
  screen('ypgl/ypzhlb', 'combination', 'list', 'combination.read'),
  screen('ypgl/ypfl', 'category', 'list', 'category.read'),
  screen('ypgl/bqbkfl', 'conditionCategory', 'list', 'conditionCategory.read'),
]
