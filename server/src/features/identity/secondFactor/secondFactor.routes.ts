import {
  confirmSecondFactor,
  getOwnSecondFactor,
  onSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from '@aisle/contract/identity/secondFactor'
import { command, open, query, type Route } from '../../../kernel/route'
import * as own from './ownFactor.commands'
import { finishSignIn } from './secondFactor.commands'

export const routes: Route[] = [
  open(onSecondFactor, finishSignIn),
  query(getOwnSecondFactor, own.state),
  // What is answered here is shown once and kept nowhere.
  command(startSecondFactor, own.start, 'nothing'),
  command(confirmSecondFactor, own.confirm, 'nothing'),
  command(renewRecoveryCodes, own.renew, 'nothing'),
  command(turnOffSecondFactor, own.turnOff),
  command(resetSecondFactor, own.resetOf),
]
