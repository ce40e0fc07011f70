import { screen } from '../kernel/screen'

export const sight = [
  screen('shgl/shjqsq', 'merchant', 'form', 'merchant.authorise', { built: true }),
  screen('shgl/tdjqsq', 'user', 'form', 'user.authorise', { built: true }),
]
