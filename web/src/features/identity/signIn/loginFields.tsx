import { type ReactNode, useState } from 'react'
import { Icon } from '../../../ui/icons'
import { useText } from '../../../ui/text'
import type { CheckCode } from './signIn'
import styles from './login.module.css'

type InputProps = {
  id: string
  name: string
  className: string | undefined
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

/** A label, a native input and what is wrong with it. */
export function Field(props: {
  name: string
  label: string
  fault: string | undefined
  /** The rule, before it is broken. */
  note?: string
  children: (input: InputProps) => ReactNode
}) {
  const { name, label, fault, note, children } = props
  const id = `login-${name}`
  const isNoted = note !== undefined && fault === undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        className: styles.input,
        'aria-invalid': fault !== undefined,
        'aria-describedby': fault ? `${id}-fault` : isNoted ? `${id}-note` : undefined,
      })}
      {fault && (
        <p className={styles.fault} id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      {isNoted && (
        <p className={styles.rule} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}

export function PasswordField(props: {
  name?: string
  label: string
  fault: string | undefined
  note?: string
  isNew?: boolean
  onFocus?: () => void
}) {
  const { name = 'password', label, fault, note, isNew = false, onFocus } = props
  const t = useText('identity')
  const [isShown, setShown] = useState(false)
  return (
    <Field name={name} label={label} fault={fault} note={note}>
      {(input) => (
        <div className={styles.withButton}>
          <input
            {...input}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            maxLength={256}
            onFocus={onFocus}
          />
          <button
            type="button"
            className="icon-btn"
            aria-label={isShown ? t('login.hidePassword') : t('login.showPassword')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon name={isShown ? 'eyeOff' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  )
}

/** From the second attempt on. Where the server sent no picture, its code stands there to be copied by hand. */
export function CheckCodeField(props: { code: CheckCode; fault: string | undefined; onRenew: () => void }) {
  const { code, fault, onRenew } = props
  const t = useText('identity')
  return (
    <Field name="checkCode" label={t('login.code')} fault={fault}>
      {(input) => (
        <div className={styles.code}>
          <input
            {...input}
            type="text"
            key={code.cid}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={4}
          />
          <button type="button" className={styles.codePicture} title={t('login.codeRenew')} onClick={onRenew}>
            {code.image ? <img src={code.image} alt={t('login.codePicture')} /> : <output>{code.code}</output>}
            <span className={styles.codeRenew}>
              <Icon name="refresh" size={14} />
              <span className="hidden-text">{t('login.codeRenew')}</span>
            </span>
          </button>
        </div>
      )}
    </Field>
  )
}
