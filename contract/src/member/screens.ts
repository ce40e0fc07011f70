import { screen } from '../kernel/screen'

export const member = [
  screen('hygl/chygl', 'member', 'list', 'member.read', { built: true }),
  screen('hygl/wdhy', 'member', 'list', 'member.read', { built: true }),
  screen('hygl/wdhyk', 'memberCard', 'list', 'memberCard.read', { built: true }),
  screen('hygl/czmx', 'cardTransaction', 'list', 'cardTransaction.read', { built: true }),
  screen('hygl/kkmx', 'cardTransaction', 'list', 'cardTransaction.read', { built: true }),
  screen('hygl/sqbk', 'cardApplication', 'list', 'cardApplication.read', { built: true }),
  screen('hygl/yhsz', 'memberLevel', 'form', 'memberLevel.read', { built: true }),
  screen('hygl/hykrz', 'cardLog', 'list', 'cardLog.read', { built: true }),
  screen('shgl/glwdhy', 'member', 'list', 'member.read', { built: true }),
]
