import { screen } from '../kernel/screen'

export const merchant = [
  screen('shgl/wdsh', 'merchant', 'list', 'merchant.read', { built: true }),
  screen('shgl/kfdh', 'merchant', 'form', 'merchant.write', { built: true }),
  screen('shgl/zjgl', 'licence', 'list', 'licence.read', { built: true }),
  screen('shgl/shzhxx', 'bankAccount', 'list', 'bankAccount.read', { built: true }),
  screen('xtgl/dsfdjpz', 'integrationConfig', 'list', 'integrationConfig.read', { built: true }),
]
