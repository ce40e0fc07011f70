import { screen } from '../kernel/screen'

export const funds = [
  screen('cfgl/txgl', 'withdrawal', 'list', 'withdrawal.read'),
  screen('cfgl/shyecx', 'merchant', 'list', 'merchant.read'),
  screen('cfgl/shzftj', 'merchant', 'report', 'merchant.read'),
  screen('cfgl/fztj', 'splitRecord', 'report', 'splitRecord.read'),
  screen('cfgl/zshjy', 'merchant', 'list', 'merchant.read'),
  screen('cfgl/yhfzsz', 'splitRule', 'form', 'splitRule.write'),
]
