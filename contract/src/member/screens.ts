import { screen } from '../kernel/screen'

export const member = [
  screen('hygl/chygl', 'member', 'list', 'member.read'),
  screen('hygl/wdhy', 'member', 'list', 'member.read'),
  screen('hygl/wdhyk', 'memberCard', 'list', 'memberCard.read'),
  screen('hygl/czmx', 'cardTransaction', 'list', 'cardTransaction.read'),
  screen('hygl/kkmx', 'cardTransaction', 'list', 'cardTransaction.read'),
  screen('hygl/sqbk', 'cardApplication', 'list', 'cardApplication.read'),
  screen('hygl/yhsz', 'memberLevel', 'form', 'memberLevel.write'),
  screen('hygl/hykrz', 'cardLog', 'list', 'cardLog.read'),
  screen('shgl/glwdhy', 'member', 'list', 'member.read', { built: true }),
]
