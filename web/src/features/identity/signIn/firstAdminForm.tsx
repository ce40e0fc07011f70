import { type SubmitEvent, useRef, useState } from 'react'
import { CallFailure } from '../../../live/failure'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { type Entered, type Faults, faultsIn, shippedPolicy } from './firstAdmin.rules'
import { Field, PasswordField } from './loginFields'
import { SignInStopped, wakeWorker } from './prove'
import styles from './login.module.css'
import { classes } from '../../../ui/classes'

type Said = { [field in keyof Entered]?: string }

export function FirstAdminForm(props: { suggested: string; onSend: (entered: Entered) => Promise<void> }) {
  const { suggested, onSend } = props
  const t = useText('identity')
  const { said, isBusy, submit } = useSending(onSend)
  return (
    <>
      <h1 className={styles.title}>{t('firstAdmin.title')}</h1>
      <p className={styles.subtitle}>{t('firstAdmin.hint')}</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
        <Field name="account" label={t('login.account')} fault={said.account} note={t('firstAdmin.accountNote')}>
          {(input) => (
            <input
              {...input}
              type="text"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={64}
              defaultValue={suggested}
            />
          )}
        </Field>
        <Field name="displayName" label={t('firstAdmin.displayName')} fault={said.displayName}>
          {(input) => <input {...input} type="text" autoComplete="name" maxLength={80} autoFocus />}
        </Field>
        <Field name="platformName" label={t('firstAdmin.platformName')} fault={said.platformName}>
          {(input) => <input {...input} type="text" autoComplete="organization" maxLength={80} />}
        </Field>
        <PasswordField
          label={t('login.password')}
          fault={said.password}
          note={t('password.rule', shippedPolicy)}
          isNew
          onFocus={wakeWorker}
        />
        <PasswordField name="again" label={t('firstAdmin.again')} fault={said.again} isNew />
        <button type="submit" className={classes('btn btn-main', styles.submit)} aria-disabled={isBusy}>
          {isBusy ? t('firstAdmin.busy') : t('firstAdmin.submit')}
        </button>
      </form>
    </>
  )
}

function useSending(onSend: (entered: Entered) => Promise<void>) {
  const t = useText('identity')
  const [faults, setFaults] = useState<Faults>({})
  const [refused, setRefused] = useState<Said>({})
  const [isBusy, setBusy] = useState(false)
  const isUnderWay = useRef(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const entered = valuesOf(new FormData(form))
    const found = faultsIn(entered)
    setFaults(found)
    setRefused({})
    const [first] = Object.keys(found)
    if (first) return inputOf(form, first)?.focus()
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    try {
      await onSend(entered)
    } catch (failure) {
      const fields = failure instanceof CallFailure ? failure.fields : []
      setRefused(Object.fromEntries(fields.map(({ path, msg }) => [path, msg])))
      if (fields.length === 0) toast('bad', wordsFor(failure))
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  const wordsFor = (failure: unknown): string => {
    if (failure instanceof CallFailure) return failure.message
    return failure instanceof SignInStopped ? t(`login.fault.${failure.reason}`) : t('login.fault.worker')
  }
  const words = Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, t(fault, shippedPolicy)]))
  const said: Said = { ...refused, ...words }
  return { said, isBusy, submit }
}

function inputOf(form: HTMLFormElement, field: string): HTMLInputElement | null {
  const input = form.elements.namedItem(field)
  return input instanceof HTMLInputElement ? input : null
}

function valuesOf(data: FormData): Entered {
  const text = (name: string) => String(data.get(name) ?? '')
  return {
    account: text('account').trim(),
    displayName: text('displayName').trim(),
    platformName: text('platformName').trim(),
    password: text('password'),
    again: text('again'),
  }
}
