import type { TextKey } from '../../../ui/text'

/** What stands in the form when it is sent. */
export type Entered = { account: string; password: string; code: string }
type Fault = TextKey<'identity'>
export type Faults = { [field in keyof Entered]?: Fault }

/** Specification §5 and §9. */
export const PASSWORD_MIN = 6
const CODE_LENGTH = 4

/** In the order of the fields, so that the first fault is where the focus goes. */
export function faultsIn({ account, password, code }: Entered, isTyped: boolean): Faults {
  const faults: Faults = {}
  if (account === '') faults.account = 'login.fault.account'
  const passwordFault = faultInPassword(password)
  if (passwordFault) faults.password = passwordFault
  if (isTyped && code.length !== CODE_LENGTH) faults.code = 'login.fault.code'
  return faults
}

function faultInPassword(password: string): Fault | null {
  if (password === '') return 'login.fault.password'
  return [...password].length < PASSWORD_MIN ? 'login.fault.passwordShort' : null
}
