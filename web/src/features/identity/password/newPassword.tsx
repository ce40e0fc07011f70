import type { PasswordPolicy } from '@aisle/contract/identity/password'
import type { PasswordOwner } from '@aisle/contract/identity/weakPassword'
import { useText } from '../../../ui/text'
import { faultInNewPassword } from '../signIn/firstAdmin.rules'
import { PasswordField } from '../signIn/loginFields'
import { wakeWorker } from '../signIn/prove'

export type NewPassword = { password: string; again: string }
export type NewPasswordFaults = { [field in keyof NewPassword]?: string }

/** A new password and its repetition; the rule stands there before it is broken. */
export function NewPasswordFields({ policy, faults }: { policy: PasswordPolicy; faults: NewPasswordFaults }) {
  const t = useText('identity')
  return (
    <>
      <PasswordField
        label={t('password.new')}
        fault={faults.password}
        note={t('password.rule', policy)}
        isNew
        onFocus={wakeWorker}
      />
      <PasswordField name="again" label={t('password.again')} fault={faults.again} isNew />
    </>
  )
}

/** @returns words for what is wrong; empty when nothing is */
export function useNewPasswordRule(): (
  entered: NewPassword,
  policy: PasswordPolicy,
  owner: PasswordOwner,
) => NewPasswordFaults {
  const t = useText('identity')
  return ({ password, again }, policy, owner) => {
    const fault = faultInNewPassword(password, policy, owner)
    if (fault) return { password: t(fault, policy) }
    return again === password ? {} : { again: t('firstAdmin.fault.mismatch') }
  }
}

export function newPasswordIn(data: FormData): NewPassword {
  const text = (name: string) => String(data.get(name) ?? '')
  return { password: text('password'), again: text('again') }
}
