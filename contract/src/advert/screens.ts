import { screen } from '../kernel/screen'

export const advert = [screen('gggl/cgggl', 'advert', 'list', 'advert.read', { built: true })]
