import { screen } from '../kernel/screen'

export const events = [screen('xtgl/sjts', 'webhookDelivery', 'list', 'integrationConfig.read', { built: true })]
