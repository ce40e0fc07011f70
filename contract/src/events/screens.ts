import { screen } from '../kernel/screen'

export const events = [
  screen('xtgl/kfmy', 'apiKey', 'list', 'apiKey.read', { built: true }),
  screen('xtgl/sjts', 'webhookDelivery', 'list', 'integrationConfig.read', { built: true }),
]
