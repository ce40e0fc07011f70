import { screen } from '../kernel/screen'

export const payment = [
  screen('cfgl/sksz', 'paymentAccount', 'list', 'paymentAccount.read', { built: true }),
  screen('xtgl/zffwgl', 'paymentService', 'list', 'paymentService.read', { path: '/xtgl/zfsz/zffwgl', built: true }),
  screen('xtgl/fwscssz', 'paymentService', 'form', 'paymentService.write', { path: '/xtgl/zfsz/fwscssz', built: true }),
  screen('xtgl/shzhsz', 'paymentAccount', 'list', 'paymentAccount.read', { path: '/xtgl/zfsz/shzhsz', built: true }),
]
