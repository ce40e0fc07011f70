import { screen } from '../kernel/screen'

export const system = [
  screen('public/database', 'user', 'dashboard', 'session', { built: true }),
  screen('xtgl/index', 'system', 'container', 'session', { built: true }),
  screen('xtgl/sjzd', 'dictionary', 'list', 'dictionary.read', { built: true }),
  screen('xtgl/shsjzd', 'dictionary', 'list', 'dictionary.read', { built: true }),
  screen('xtgl/sz', 'setting', 'form', 'setting.write', { built: true }),
  screen('xtgl/yysz', 'languageEntry', 'list', 'languageEntry.read', { built: true }),
]
