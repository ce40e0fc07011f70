import { screen } from '../kernel/screen'

export const partner = [screen('jygl/dsfchcx', 'shipResult', 'list', 'shipResult.read', { built: true })]
