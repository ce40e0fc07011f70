import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { confirmSecondFactor, startSecondFactor } from '@aisle/contract/identity/secondFactor'
import { type SubmitEvent, useState } from 'react'
import { call } from '../../../live/call'
import { useText } from '../../../ui/text'
import { CodeField, SetupPicture } from './factorFields'
import { PasswordField } from '../signIn/loginFields'
import { proveOwn } from '../password/ownPassword'
import { wakeWorker } from '../signIn/prove'
import { useSending } from '../signIn/useSending'
import accountStyles from '../account.module.css'
import loginStyles from '../signIn/login.module.css'

type Started = OutputOf<typeof startSecondFactor>

/** The password first, so that a browser left open can't be used for it; then the picture and a first code. */
export function FactorSetup({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [started, setStarted] = useState<Started | null>(null)
  return (
    <div className={accountStyles.form}>
      {started ? (
        <Confirm started={started} onCodes={onCodes} onOver={() => setStarted(null)} />
      ) : (
        <Prove onStarted={setStarted} />
      )}
    </div>
  )
}

function Prove({ onStarted }: { onStarted: (started: Started) => void }) {
  const t = useText('identity')
  const [fault, setFault] = useState<string>()
  const { isBusy, refused, send } = useSending((failure) => (failure.code === 'password.wrong' ? 'password' : null))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    setFault(password === '' ? t('login.fault.password') : undefined)
    if (password === '') return
    void send(async () => {
      const { proof } = await proveOwn(password)
      onStarted(await call(startSecondFactor, { proof }, { errors: 'throw' }))
    })
  }
  return (
    <form className={loginStyles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      <PasswordField label={t('password.old')} fault={fault ?? refused.password} onFocus={wakeWorker} />
      <button type="submit" className="btn btn-main" aria-disabled={isBusy}>
        {t('factor.start')}
      </button>
    </form>
  )
}

function Confirm(props: { started: Started; onCodes: (codes: readonly string[]) => void; onOver: () => void }) {
  const { started, onCodes, onOver } = props
  const t = useText('identity')
  const { isBusy, refused, send } = useSending((failure) => {
    if (failure.code === 'secondFactor.setupOver') onOver()
    return failure.code === 'secondFactor.wrong' || failure.code === 'request.invalid' ? 'code' : null
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').replaceAll(/\s/g, '')
    void send(async () => onCodes((await call(confirmSecondFactor, { code }, { errors: 'throw' })).recoveryCodes))
  }
  return (
    <form className={loginStyles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      <SetupPicture secret={started.secret} uri={started.uri} />
      <CodeField fault={refused.code} isSetup />
      <button type="submit" className="btn btn-main" aria-disabled={isBusy}>
        {t('factor.confirm')}
      </button>
    </form>
  )
}
