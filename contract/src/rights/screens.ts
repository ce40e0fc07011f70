import { screen } from '../kernel/screen'

export const rights = [
  screen('xtgl/gngl', 'resource', 'list', 'resource.read', { path: '/xtgl/zygl/gngl', built: true }),
  screen('xtgl/cdgl', 'menu', 'form', 'menu.read', { path: '/xtgl/zygl/cdgl', built: true }),
  screen('xtgl/xzptzy', 'resource', 'form', 'resource.write', { path: '/xtgl/zygl/xzptzy', built: true }),
  screen('xtgl/bjptzy', 'resource', 'form', 'resource.write', { path: '/xtgl/zygl/bjptzy', built: true }),
  screen('xtgl/jsgl', 'role', 'list', 'role.read', { path: '/xtgl/cxtgl/jsgl', built: true }),
  screen('xtgl/xzjs', 'role', 'form', 'role.write', { path: '/xtgl/cxtgl/xzjs', built: true }),
  screen('xtgl/bjjs', 'role', 'form', 'role.write', { path: '/xtgl/cxtgl/bjjs', built: true }),
  screen('xtgl/jszyqx', 'role', 'form', 'role.read', { path: '/xtgl/cxtgl/jszyqx', built: true }),
]
