import { useText } from '../../ui/text'
import { Field } from './login-fields'
import { QrCode } from './login-links'

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
    <div className="factor-setup">
      <QrCode text={uri} label={t('factor.setup.qr')} />
      <div>
        <p>{t('factor.setup.scan')}</p>
        <p className="factor-secret-label">{t('factor.setup.type')}</p>
        <code className="factor-secret">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </div>
    </div>
  )
}
