import { screen } from '../kernel/screen'

export const funds = [
  screen('cfgl/txgl', 'withdrawal', 'list', 'withdrawal.read', { built: true }),
  screen('cfgl/shyecx', 'settlement', 'list', 'settlement.read', { built: true }),
  screen('cfgl/shzftj', 'merchant', 'report', 'report.read', { built: true }),
  screen('cfgl/fztj', 'splitRecord', 'report', 'splitRecord.read', { built: true }),
  screen('cfgl/zshjy', 'merchant', 'report', 'report.read', { built: true }),
  screen('cfgl/yhfzsz', 'splitRule', 'form', 'splitRule.write', { built: true }),
]
