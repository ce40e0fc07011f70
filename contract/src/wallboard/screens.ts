import { screen } from '../kernel/screen'

export const wallboard = [
  screen('public/databases', 'order', 'board', 'public', { built: true }),
  screen('public/databaseszd', 'order', 'board', 'public', { built: true }),
]
