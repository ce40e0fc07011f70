import { screen } from '../kernel/screen'

export const support = [
  screen('shkf/wtfk', 'feedback', 'list', 'feedback.read'),
  screen('shkf/cjwtgl', 'faq', 'list', 'faq.read'),
  screen('shkf/xzwt', 'faq', 'form', 'faq.write'),
  screen('shkf/jjfa', 'solution', 'list', 'solution.read'),
  screen('shkf/khfk', 'feedback', 'list', 'feedback.read'),
]
