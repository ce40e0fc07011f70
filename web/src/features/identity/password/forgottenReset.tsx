import { type SubmitEvent, useState } from 'react'
import { resetPass } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import type { Opened } from './forgotten'
import { newPasswordIn, NewPasswordFields, type NewPasswordFaults, useNewPasswordRule } from './newPassword'
import { makeVerifier } from '../signIn/prove'
import { rememberAccount, rememberedAccount } from '../signIn/remember'
import { useSending } from '../signIn/useSending'
import loginStyles from '../signIn/login.module.css'
import factorStyles from '../factor/factor.module.css'
import { classes } from '../../../ui/classes'

/** Which of the phone's accounts, and its new password. */
export function ForgottenReset(props: { opened: Opened; onDone: () => void; onOver: () => void }) {
  const { opened, onDone, onOver } = props
  const t = useText('identity')
  const rule = useNewPasswordRule()
  const [faults, setFaults] = useState<NewPasswordFaults>({})
  const { isBusy, send } = useSending()
  const { accounts, checkCode, kdf, phone, policy } = opened

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const entered = newPasswordIn(data)
    const chosen = accounts.find(({ account }) => account === data.get('account')) ?? accounts[0]
    const owner = { account: chosen?.account ?? '', names: [chosen?.displayName ?? ''], phone }
    const found = rule(entered, policy, owner)
    setFaults(found)
    if (Object.keys(found).length > 0 || !chosen) return
    void send(async () => {
      const pass = await makeVerifier({ password: entered.password, salt: chosen.salt, kdf })
      try {
        await call(resetPass, { phone, checkCode, pass }, { errors: 'throw' })
      } catch (failure) {
        // The five minutes are over: a new code is needed.
        onOver()
        throw failure
      }
      if (rememberedAccount()) rememberAccount(chosen.account)
      toast('good', t('password.done'))
      onDone()
    })
  }
  return (
    <form className={loginStyles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      <Accounts accounts={accounts} />
      <NewPasswordFields policy={policy} faults={faults} />
      <button type="submit" className={classes('btn btn-main', loginStyles.submit)} aria-disabled={isBusy}>
        {isBusy ? t('password.busy') : t('password.submit')}
      </button>
    </form>
  )
}

function Accounts({ accounts }: { accounts: Opened['accounts'] }) {
  const t = useText('identity')
  const [only] = accounts
  if (accounts.length === 1 && only) {
    return (
      <p>
        {t('login.account')} <b>{only.account}</b> · {only.displayName} · {only.merchant}
      </p>
    )
  }
  return (
    <fieldset className={factorStyles.forgottenAccounts}>
      <legend>{t('forgotten.account')}</legend>
      {accounts.map(({ account, displayName, merchant }, i) => (
        <label key={account}>
          <input type="radio" name="account" value={account} defaultChecked={i === 0} />
          <span>
            <b>{account}</b> {displayName} · {merchant}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
