import type { PasswordPolicy } from '@aisle/contract/identity/password'
import { type PasswordOwner, weaknessOf } from '@aisle/contract/identity/weakPassword'
import type { TextKey } from '../../../ui/text'
import { PASSWORD_MIN } from './login.rules'

export type Entered = { account: string; displayName: string; platformName: string; password: string; again: string }
type Fault = TextKey<'identity'>
export type Faults = { [field in keyof Entered]?: Fault }

/** Specification §5 and §9, before a platform is there that could raise it. */
export const shippedPolicy: PasswordPolicy = { min: PASSWORD_MIN, max: 20 }
/** Digits, letters and symbols; a space at the end would be nobody's intent. */
const SIGNS = /^[!-~]*$/

/** In the order of the fields, so that the first fault is where the focus goes. */
export function faultsIn({ account, displayName, platformName, password, again }: Entered): Faults {
  const faults: Faults = {}
  if (account === '') faults.account = 'login.fault.account'
  if (displayName === '') faults.displayName = 'firstAdmin.fault.displayName'
  if (platformName === '') faults.platformName = 'firstAdmin.fault.platformName'
  const passwordFault = faultInNewPassword(password, shippedPolicy, { account, names: [displayName, platformName] })
  if (passwordFault) faults.password = passwordFault
  // One thing at a time: the second field has only to repeat a first one that is good.
  if (!passwordFault && again !== password) faults.again = 'firstAdmin.fault.mismatch'
  return faults
}

/**
 * @param policy what the platform asks for; never less than the specification's own
 * @param owner what of the person may not be in it
 */
export function faultInNewPassword(password: string, policy: PasswordPolicy, owner: PasswordOwner): Fault | null {
  if (password === '') return 'login.fault.password'
  if (!SIGNS.test(password)) return 'firstAdmin.fault.passwordSigns'
  if (password.length < policy.min) return 'password.fault.short'
  if (password.length > policy.max) return 'password.fault.long'
  const weakness = weaknessOf(password, owner)
  return weakness && `password.weak.${weakness}`
}
