import { screen } from '../kernel/screen'

export const pickup = [screen('jygl/qhmgl', 'pickupCode', 'list', 'pickupCode.read', { built: true })]
