import { changeOwnPassword, type PasswordPolicy } from '@aisle/contract/identity/password'
import type { PasswordOwner } from '@aisle/contract/identity/weakPassword'
import { type SubmitEvent, useState } from 'react'
import { call } from '../../../live/call'
import { currentSession, endSession, toLogin } from '../../../live/session'
import { useText } from '../../../ui/text'
import { PasswordField } from '../signIn/loginFields'
import { newPasswordIn, NewPasswordFields, type NewPasswordFaults, useNewPasswordRule } from './newPassword'
import { proveOwn } from './ownPassword'
import { makeVerifier, wakeWorker } from '../signIn/prove'
import { notePasswordChanged } from '../signIn/remember'
import { useSending } from '../signIn/useSending'
import styles from '../signIn/login.module.css'

const fieldOf: Record<string, string> = {
  'password.wrong': 'old',
  'password.same': 'password',
  'password.shipped': 'password',
}

/** The telephone is not known here; it comes with what proves the old password. */
function ownerNow(): PasswordOwner {
  const session = currentSession()
  return { account: session?.accountname ?? '', names: [session?.info?.displayName ?? ''] }
}

/** The old password is proven, the new one set by a verifier; neither is sent. All sessions of the account end. */
export function PasswordChange({ policy }: { policy: PasswordPolicy }) {
  const t = useText('identity')
  const rule = useNewPasswordRule()
  const [faults, setFaults] = useState<NewPasswordFaults & { old?: string }>({})
  const { isBusy, refused, send } = useSending((failure) => fieldOf[failure.code] ?? null)

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const old = String(data.get('old') ?? '')
    const entered = newPasswordIn(data)
    const found = { ...(old === '' ? { old: t('login.fault.password') } : {}), ...rule(entered, policy, ownerNow()) }
    setFaults(found)
    const [first] = Object.keys(found)
    const input = first && form.elements.namedItem(first)
    if (input instanceof HTMLInputElement) return input.focus()
    void send(async () => {
      const { proof, param } = await proveOwn(old)
      const late = rule(entered, param.policy, { ...ownerNow(), phone: param.phone })
      setFaults(late)
      if (late.password) return
      const verifier = await makeVerifier({ password: entered.password, salt: param.salt, kdf: param.kdf })
      await call(changeOwnPassword, { proof, verifier }, { errors: 'throw' })
      notePasswordChanged()
      endSession()
      toLogin()
    })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      <PasswordField name="old" label={t('password.old')} fault={faults.old ?? refused.old} onFocus={wakeWorker} />
      <NewPasswordFields policy={policy} faults={{ ...refused, ...faults }} />
      <p className={styles.rule}>{t('password.endsAll')}</p>
      <button type="submit" className="btn btn-main" aria-disabled={isBusy}>
        {isBusy ? t('password.busy') : t('password.submit')}
      </button>
    </form>
  )
}
