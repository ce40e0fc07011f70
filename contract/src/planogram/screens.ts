import { screen } from '../kernel/screen'

export const planogram = [
  screen('shj/mbgl', 'template', 'list', 'template.read', { built: true }),
  screen('shj/shjMbadd', 'template', 'form', 'template.write', { built: true }),
  screen('shj/shjMbset', 'template', 'form', 'template.write', { built: true }),
  screen('shj/hdgl', 'slot', 'form', 'slot.write', { built: true }),
]
