import type { TextKey } from '../../ui/text'
import { PASSWORD_MIN } from './login.rules'

export type Entered = { account: string; displayName: string; platformName: string; password: string; again: string }
type Fault = TextKey<'identity'>
export type Faults = { [field in keyof Entered]?: Fault }

/** Specification §5 and §9: digits, letters and symbols, 20 at most; a space at the end would be nobody's intent. */
const PASSWORD_MAX = 20
const SIGNS = /^[!-~]*$/

/** In the order of the fields, so that the first fault is where the focus goes. */
export function faultsIn({ account, displayName, platformName, password, again }: Entered): Faults {
  const faults: Faults = {}
  if (account === '') faults.account = 'login.fault.account'
  if (displayName === '') faults.displayName = 'firstAdmin.fault.displayName'
  if (platformName === '') faults.platformName = 'firstAdmin.fault.platformName'
  const passwordFault = faultInNewPassword(password)
  if (passwordFault) faults.password = passwordFault
  // One thing at a time: the second field has only to repeat a first one that is good.
  if (!passwordFault && again !== password) faults.again = 'firstAdmin.fault.mismatch'
  return faults
}

/** @param min what the platform asks for; never less than the specification's own */
export function faultInNewPassword(password: string, min: number = PASSWORD_MIN): Fault | null {
  if (password === '') return 'login.fault.password'
  if (!SIGNS.test(password)) return 'firstAdmin.fault.passwordSigns'
  if (password.length < min) return min > PASSWORD_MIN ? 'password.fault.short' : 'login.fault.passwordShort'
  return password.length > PASSWORD_MAX ? 'firstAdmin.fault.passwordLong' : null
}
