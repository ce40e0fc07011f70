import { screen } from '../kernel/screen'

export const identity = [
  screen('public/login', 'user', 'form', 'public', { built: true }),
  screen('public/loginAme', 'user', 'form', 'public', { built: true }),
  screen('public/ssologin', 'user', 'form', 'public', { built: true }),
  screen('public/loginFr', 'user', 'form', 'public', { built: true }),
  screen('public/loginSrx', 'user', 'form', 'public', { built: true }),
  screen('public/loginSilent', 'user', 'form', 'public', { built: true }),
  screen('xtgl/setpwd', 'user', 'form', 'session', { built: true }),
]
