import { screen } from '../kernel/screen'

export const counting = [
  screen('kcpd/xlspkcpd', 'stockCount', 'list', 'stockCount.read', { built: true }),
  screen('kcpd/jqspkcpd', 'stockCount', 'list', 'stockCount.read', { built: true }),
  screen('kcpd/yyspkcpd', 'stockCount', 'list', 'stockCount.read', { built: true }),
  screen('kcpd/jqhdkcpd', 'stockCount', 'list', 'stockCount.read', { built: true }),
  screen('kcpd/bhjl', 'replenishment', 'list', 'replenishment.read', { built: true }),
]
