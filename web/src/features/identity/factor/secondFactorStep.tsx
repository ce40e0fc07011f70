import { type SubmitEvent, useEffect, useEffectEvent, useState } from 'react'
import { onSecondFactor } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import { enterWith, type SecondFactorAsked, type SignedInAnswer } from '../signIn/enter'
import { CodeField, SetupPicture } from './factorFields'
import styles from './factor.module.css'
import { RecoveryCodes } from './recoveryCodes'
import { useSending } from '../signIn/useSending'
import loginStyles from '../signIn/login.module.css'
import { classes } from '../../../ui/classes'

/** After the password: six digits of the app, a recovery code, or first of all the setting up. */
export function SecondFactorStep(props: {
  asked: SecondFactorAsked
  onBack: () => void
  onSignedIn: (path: string) => void
}) {
  const { asked, onBack, onSignedIn } = props
  const t = useText('identity')
  const [done, setDone] = useState<SignedInAnswer | null>(null)
  const { isBusy, refused, submit } = useCode(asked, onBack, (answer) => {
    if (answer.recoveryCodes) setDone(answer)
    else onSignedIn(enterWith(answer))
  })
  useTimeUp(asked.exp, done === null, onBack)
  if (done?.recoveryCodes) {
    return <RecoveryCodes codes={done.recoveryCodes} onKept={() => onSignedIn(enterWith(done))} />
  }
  const { setup } = asked
  return (
    <>
      <h1 className={loginStyles.title}>{setup ? t('factor.setup.title') : t('factor.title')}</h1>
      <p className={loginStyles.subtitle}>{setup ? t('factor.setup.required') : t('factor.hint')}</p>
      <form className={loginStyles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
        {setup && <SetupPicture secret={setup.secret} uri={setup.uri} />}
        <CodeField fault={refused.code} isSetup={setup !== null} />
        <button type="submit" className={classes('btn btn-main', loginStyles.submit)} aria-disabled={isBusy}>
          {isBusy ? t('factor.busy') : t('factor.submit')}
        </button>
        <button type="button" className={classes(loginStyles.forgot, styles.back)} onClick={onBack}>
          {t('factor.back')}
        </button>
      </form>
    </>
  )
}

const OVER = 'secondFactor.challengeOver'
const SHORTEST = 6

function useCode(asked: SecondFactorAsked, onBack: () => void, onRight: (answer: SignedInAnswer) => void) {
  const t = useText('identity')
  const [fault, setFault] = useState<string>()
  const { isBusy, refused, send } = useSending((failure) => (failure.code === OVER ? null : 'code'))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const input = event.currentTarget.elements.namedItem('code')
    if (!(input instanceof HTMLInputElement)) return
    const code = input.value.replaceAll(/\s/g, '')
    setFault(code.length < SHORTEST ? t('factor.fault.code') : undefined)
    if (code.length < SHORTEST) return input.focus()
    void send(async () => {
      try {
        onRight(await call(onSecondFactor, { challenge: asked.challenge, code }, { errors: 'throw' }))
      } catch (failure) {
        input.select()
        if (failure instanceof Error && 'code' in failure && failure.code === OVER) onBack()
        throw failure
      }
    })
  }
  return { isBusy, refused: { ...refused, ...(fault ? { code: fault } : {}) }, submit }
}

/** The server would only say the same, after the person has typed. */
function useTimeUp(seconds: number, isRunning: boolean, onBack: () => void): void {
  const t = useText('identity')
  const leave = useEffectEvent(() => {
    toast('info', t('factor.timeUp'))
    onBack()
  })
  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => leave(), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds, isRunning])
}
