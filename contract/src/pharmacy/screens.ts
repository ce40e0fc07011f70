import { screen } from '../kernel/screen'

export const pharmacy = [
  screen('jygl/cfcx', 'prescription', 'list', 'prescription.read', { built: true }),
  screen('jygl/cfxq', 'prescription', 'detail', 'prescription.read', { built: true }),
  screen('jygl/cfxstj', 'prescription', 'report', 'prescription.read', { built: true }),
]
