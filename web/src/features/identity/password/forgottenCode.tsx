import { type SubmitEvent, useEffect, useState } from 'react'
import { openForgotten, sendPhoneCode } from 'virtual:sign-in-calls'
import { call } from '../../../live/call'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import type { Opened } from './forgotten'
import { Field } from '../signIn/loginFields'
import { useSending } from '../signIn/useSending'
import styles from '../signIn/login.module.css'
import { classes } from '../../../ui/classes'

const CODE_LENGTH = 6
type Faults = { phone?: string; checkCode?: string }

/** The phone and the code that was sent to it. Whether anybody has that phone is not said. */
export function ForgottenCode({ onOpen }: { onOpen: (opened: Opened) => void }) {
  const t = useText('identity')
  const [faults, setFaults] = useState<Faults>({})
  const { isBusy, refused, send } = useSending((failure) =>
    failure.code === 'password.codeInvalid' ? 'checkCode' : null,
  )
  const { waitS, isAsked, ask } = useAsking()

  const askFor = (form: HTMLFormElement | null) => {
    const phone = valueOf(form, 'phone')
    setFaults(phone === '' ? { phone: t('forgotten.fault.phone') } : {})
    if (phone === '') return focus(form, 'phone')
    void send(async () => {
      await ask(phone)
      focus(form, 'checkCode')
    })
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!isAsked) return askFor(form)
    const phone = valueOf(form, 'phone')
    const checkCode = valueOf(form, 'checkCode')
    const isCode = checkCode.length === CODE_LENGTH
    setFaults(isCode ? {} : { checkCode: t('forgotten.fault.code') })
    if (!isCode) return focus(form, 'checkCode')
    void send(async () => {
      const opened = await call(openForgotten, { phone, checkCode }, { errors: 'throw' })
      onOpen({ ...opened, phone, checkCode })
    })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      <Field name="phone" label={t('forgotten.phone')} fault={faults.phone}>
        {(input) => <input {...input} type="tel" autoComplete="tel" maxLength={32} autoFocus />}
      </Field>
      {isAsked && (
        <Field
          name="checkCode"
          label={t('forgotten.code')}
          fault={faults.checkCode ?? refused.checkCode}
          note={t('forgotten.sent')}
        >
          {(input) => (
            <div className={styles.code}>
              <input {...input} type="text" inputMode="numeric" autoComplete="one-time-code" maxLength={CODE_LENGTH} />
              <button
                type="button"
                className="btn"
                disabled={waitS > 0}
                onClick={(event) => askFor(event.currentTarget.form)}
              >
                {waitS > 0 ? t('forgotten.again', { seconds: waitS }) : t('forgotten.send')}
              </button>
            </div>
          )}
        </Field>
      )}
      <button type="submit" className={classes('btn btn-main', styles.submit)} aria-disabled={isBusy}>
        {isAsked ? t('forgotten.next') : t('forgotten.send')}
      </button>
    </form>
  )
}

/** One code a minute goes to a phone; the server would withhold a second one without a word. */
function useAsking() {
  const t = useText('identity')
  const [waitS, setWaitS] = useState(0)
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    if (waitS <= 0) return
    const timer = setTimeout(() => setWaitS(waitS - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitS])
  const ask = async (phone: string) => {
    const { againAfter } = await call(sendPhoneCode, { phone }, { errors: 'throw' })
    setAsked(true)
    setWaitS(againAfter)
    toast('info', t('forgotten.sent'))
  }
  return { waitS, isAsked, ask }
}

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const input = form?.elements.namedItem(name)
  return input instanceof HTMLInputElement ? input : null
}
const valueOf = (form: HTMLFormElement | null, name: string): string => inputOf(form, name)?.value.trim() ?? ''
const focus = (form: HTMLFormElement | null, name: string): void => inputOf(form, name)?.focus()
