import { screen } from '../kernel/screen'

export const people = [
  screen('shgl/wdtd', 'user', 'list', 'user.read', { built: true }),
  screen('shgl/bjyh', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/xzyh', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/management', 'user', 'form', 'user.write', { built: true }),
  screen('shgl/wdys', 'doctor', 'list', 'doctor.read', { built: true }),
  screen('xtgl/zzgl', 'organisation', 'form', 'organisation.read', { path: '/xtgl/dagl/zzgl', built: true }),
]
