import { screen } from '../kernel/screen'

export const home = [screen('home/dashboard', 'machine', 'dashboard', 'session', { built: true })]
