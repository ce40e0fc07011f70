import { screen } from '../kernel/screen'

export const support = [
  screen('shkf/wtfk', 'feedback', 'list', 'feedback.read', { built: true }),
  screen('shkf/cjwtgl', 'faq', 'list', 'faq.read', { built: true }),
  screen('shkf/xzwt', 'faq', 'form', 'faq.write', { built: true }),
  screen('shkf/jjfa', 'solution', 'list', 'solution.read', { built: true }),
  screen('shkf/khfk', 'customerCase', 'list', 'feedback.read', { built: true }),
]
