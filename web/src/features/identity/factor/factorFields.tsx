import { useText } from '../../../ui/text'
import { Field } from '../signIn/loginFields'
import { QrCode } from '../../../ui/qrCode'
import styles from './factor.module.css'

/** Six digits, or a recovery code where there are some already. */
export function CodeField({ fault, isSetup }: { fault: string | undefined; isSetup: boolean }) {
  const t = useText('identity')
  return (
    <Field
      name="code"
      label={t('factor.code')}
      fault={fault}
      note={isSetup ? t('factor.codeFirst') : t('factor.codeOr')}
    >
      {(input) => (
        <input
          {...input}
          type="text"
          inputMode={isSetup ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={16}
          autoFocus
        />
      )}
    </Field>
  )
}

/** What an authenticator app reads, and the same to type where there is no camera. */
export function SetupPicture({ secret, uri }: { secret: string; uri: string }) {
  const t = useText('identity')
  return (
    <div className={styles.setup}>
      <QrCode text={uri} label={t('factor.setup.qr')} />
      <div>
        <p>{t('factor.setup.scan')}</p>
        <p className={styles.secretLabel}>{t('factor.setup.type')}</p>
        <code className={styles.secret}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </div>
    </div>
  )
}
