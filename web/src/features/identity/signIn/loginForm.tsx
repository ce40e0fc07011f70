import { type SubmitEvent, useRef, useState } from 'react'
import { CallFailure } from '../../../live/failure'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { enterWith, type SecondFactorAsked } from './enter'
import { type Entered, type Faults, faultsIn } from './login.rules'
import { CheckCodeField, Field, PasswordField } from './loginFields'
import { LoginOptions } from './loginOptions'
import { offerToPasswordManager, rememberAccount, rememberedAccount } from './remember'
import { SignInStopped, wakeWorker } from './prove'
import { signIn } from './signIn'
import { useCheckCode } from './useCheckCode'
import styles from './login.module.css'
import { classes } from '../../../ui/classes'

type Props = {
  onTry: () => void
  onSignedIn: (path: string) => void
  onSecondFactor: (asked: SecondFactorAsked) => void
}

export function LoginForm(props: Props) {
  const t = useText('identity')
  const form = useRef<HTMLFormElement>(null)
  const { faults, isBusy, code, isTyped, renew, submit } = useSignIn(props, () => accountIn(form.current))
  const wordOf = (field: keyof Faults) => faults[field] && t(faults[field])
  return (
    <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
      <Field name="username" label={t('login.account')} fault={wordOf('account')}>
        {(input) => (
          <input
            {...input}
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            defaultValue={rememberedAccount()}
            autoFocus
          />
        )}
      </Field>
      <PasswordField label={t('login.password')} fault={wordOf('password')} onFocus={wakeWorker} />
      {isTyped && code && <CheckCodeField code={code} fault={wordOf('code')} onRenew={() => void renew()} />}
      <LoginOptions />
      <button type="submit" className={classes('btn btn-main', styles.submit)} aria-disabled={isBusy}>
        {isBusy ? t('login.busy') : t('login.submit')}
      </button>
    </form>
  )
}

function useSignIn({ onTry, onSignedIn, onSecondFactor }: Props, accountNow: () => string) {
  const t = useText('identity')
  const [attempt, setAttempt] = useState(1)
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  const { code, isTyped, renew, usable } = useCheckCode(attempt, accountNow)

  const enter = async (form: HTMLFormElement, entered: Entered) => {
    const sent = await usable()
    // The server wants a picture read after all: the field is there now, and the person goes on.
    if (!isTyped && sent.mode === 'typed') return
    const answer = await signIn({ ...entered, cid: sent.cid, checkCode: isTyped ? entered.code : sent.code })
    await remember(entered, new FormData(form).has('remember'))
    if (answer.secondFactor) onSecondFactor(answer.secondFactor)
    else onSignedIn(enterWith(answer))
  }
  /** A new code is fetched, and from now on it is typed. */
  const fail = (failure: unknown) => {
    if (failure instanceof SignInStopped) toast('bad', t(`login.fault.${failure.reason}`))
    else if (!(failure instanceof CallFailure)) toast('bad', t('login.fault.worker'))
    else if (!failure.isShown) toast('bad', failure.message)
    const isAnswered = !(failure instanceof CallFailure) || failure.status > 0
    if (isAnswered) setAttempt(attempt + 1)
    void renew()
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const entered = valuesOf(new FormData(form))
    const found = faultsIn(entered, isTyped)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first) return inputOf(form, first)?.focus()
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    onTry()
    try {
      await enter(form, entered)
    } catch (failure) {
      fail(failure)
      inputOf(form, 'password')?.select()
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { faults, isBusy, code, isTyped, renew, submit }
}

const names: Record<string, string> = { account: 'username', password: 'password', code: 'checkCode' }

function inputOf(form: HTMLFormElement, field: string): HTMLInputElement | null {
  const input = form.elements.namedItem(names[field] ?? '')
  return input instanceof HTMLInputElement ? input : null
}

function valuesOf(data: FormData): Entered {
  const text = (name: string) => String(data.get(name) ?? '')
  return { account: text('username').trim(), password: text('password'), code: text('checkCode').trim() }
}

const accountIn = (form: HTMLFormElement | null): string => (form ? valuesOf(new FormData(form)).account : '')

async function remember({ account, password }: Entered, isWanted: boolean): Promise<void> {
  rememberAccount(isWanted ? account : '')
  if (isWanted) await offerToPasswordManager({ account, password })
}
