import type { CallOf, OutputOf } from '@aisle/contract/kernel/endpoint'
import { accountClaims, getSsoProvider, saveSsoProvider, ssoRules } from '@aisle/contract/identity/sso'
import { type ReactNode, useId } from 'react'
import { useRow } from '../../../admin/form/useRow'
import { refetch, useCommand, useEndpoint } from '../../../live/query'
import { CopyButton } from '../../../ui/control/copy'
import { Dialog, DialogButtons } from '../../../ui/feedback/dialog'
import { toast } from '../../../ui/feedback/notice'
import { useText } from '../../../ui/text'
import loginStyles from './login.module.css'
import styles from './ssoSettings.module.css'
import { classes } from '../../../ui/classes'

type Shown = OutputOf<typeof getSsoProvider>
type Wanted = CallOf<typeof saveSsoProvider>

/** The platform's administrator, once: where people are who sign in elsewhere, and which account is theirs here. */
export function SsoSettings({ onClose }: { onClose: () => void }) {
  const { data } = useEndpoint(getSsoProvider, {}, { staleTime: 0, gcTime: 0 })
  return data ? <SettingsDialog shown={data} onClose={onClose} /> : null
}

const fresh: Wanted = {
  name: '',
  issuer: '',
  clientId: '',
  scope: 'openid profile email',
  accountClaim: 'preferred_username',
  rule: 'match',
  merchantId: null,
  roleId: null,
  isEnabled: true,
  version: null,
}

function wantedOf({ provider }: Shown): Wanted {
  if (!provider) return fresh
  const { hasSecret: _, updatedAt: __, ...wanted } = provider
  return wanted
}

function SettingsDialog({ shown, onClose }: { shown: Shown; onClose: () => void }) {
  const t = useText('identity')
  const { version: read, ...facts } = wantedOf(shown)
  const row = useRow(facts, read)
  const wanted = { ...row.values, version: row.version }
  const saving = useCommand(saveSsoProvider, {
    errors: 'throw',
    onSuccess: async () => {
      toast('good', t('ssoSettings.saved'))
      await refetch(getSsoProvider)
      onClose()
    },
  })
  const faultOf = (path: string) => saving.error?.fields.find((each) => each.path === path)?.msg
  const rest = { wanted, change: row.change, faultOf }
  return (
    <Dialog
      title={t('ssoSettings.title')}
      onSubmit={() => saving.mutate(wanted, { onError: row.goOnFrom })}
      onCancel={onClose}
      actions={<DialogButtons onCancel={onClose} send={t('ssoSettings.save')} isBusy={saving.isPending} />}
    >
      <p className="field-rule">{t('ssoSettings.lead')}</p>
      <Redirect path={shown.redirectPath} />
      <TextLine {...rest} name="name" label={t('ssoSettings.name')} />
      <TextLine {...rest} name="issuer" label={t('ssoSettings.issuer')} type="url" />
      <TextLine {...rest} name="clientId" label={t('ssoSettings.clientId')} />
      <TextLine
        {...rest}
        name="clientSecret"
        label={t('ssoSettings.clientSecret')}
        type="password"
        hint={shown.provider ? t('ssoSettings.secretKept') : undefined}
      />
      <TextLine {...rest} name="scope" label={t('ssoSettings.scope')} />
      <Choices {...rest} shown={shown} />
      {saving.error && (saving.error.fields.length === 0 || saving.error.code === 'edit.stale') && (
        <p className="fault" role="alert">
          {saving.error.message}
        </p>
      )}
    </Dialog>
  )
}

type Rest = { wanted: Wanted; change: (part: Partial<Wanted>) => void; faultOf: (path: string) => string | undefined }
type TextName = 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'scope'

function TextLine(props: Rest & { name: TextName; label: string; type?: string; hint?: string | undefined }) {
  const { wanted, change, faultOf, name, label, type = 'text', hint } = props
  const fault = faultOf(name)
  // What is empty is not said: a secret that was left alone is the one that is kept.
  const say = (value: string) => change({ [name]: name === 'clientSecret' && value === '' ? undefined : value })
  return (
    <Line label={label} note={fault ?? hint} isFault={fault !== undefined}>
      {(id) => (
        <input
          id={id}
          className={classes(loginStyles.input, styles.input)}
          type={type}
          autoComplete="off"
          spellCheck={false}
          value={wanted[name] ?? ''}
          aria-invalid={fault !== undefined}
          onChange={({ target }) => say(target.value)}
        />
      )}
    </Line>
  )
}

function Choices({ wanted, change, shown }: Rest & { shown: Shown }) {
  const t = useText('identity')
  const pickRole = (id: number) => {
    const role = shown.roles.find((each) => each.id === id)
    change({ roleId: role?.id ?? null, merchantId: role?.merchantId ?? null })
  }
  return (
    <>
      <Line label={t('ssoSettings.claim')}>
        {(id) => (
          <select
            id={id}
            className={classes(loginStyles.input, styles.input)}
            value={wanted.accountClaim}
            onChange={({ target }) => change({ accountClaim: accountClaims.find((each) => each === target.value) })}
          >
            {accountClaims.map((claim) => (
              <option key={claim}>{claim}</option>
            ))}
          </select>
        )}
      </Line>
      <fieldset className={styles.rules}>
        <legend>{t('ssoSettings.rule')}</legend>
        {ssoRules.map((rule) => (
          <label key={rule}>
            <input type="radio" name="rule" checked={wanted.rule === rule} onChange={() => change({ rule })} />
            {t(`ssoSettings.rule.${rule}`)}
          </label>
        ))}
      </fieldset>
      {wanted.rule === 'make' && (
        <Line label={t('ssoSettings.role')}>
          {(id) => (
            <select
              id={id}
              className={classes(loginStyles.input, styles.input)}
              value={wanted.roleId === null ? '' : String(wanted.roleId)}
              onChange={({ target }) => pickRole(Number(target.value))}
            >
              <option value="">{t('ssoSettings.pick')}</option>
              {shown.roles.map(({ id: roleId, merchantName, name }) => (
                <option key={roleId} value={roleId}>
                  {merchantName} · {name}
                </option>
              ))}
            </select>
          )}
        </Line>
      )}
      <label className={loginStyles.check}>
        <input
          type="checkbox"
          checked={wanted.isEnabled}
          onChange={({ target }) => change({ isEnabled: target.checked })}
        />
        {t('ssoSettings.enabled')}
      </label>
    </>
  )
}

function Redirect({ path }: { path: string }) {
  const t = useText('identity')
  const address = location.origin + path
  return (
    <div className="field">
      <span>{t('ssoSettings.redirect')}</span>
      <span className={styles.redirect}>
        <code>{address}</code> <CopyButton text={address} />
      </span>
    </div>
  )
}

function Line(props: {
  label: string
  note?: string | undefined
  isFault?: boolean
  children: (id: string) => ReactNode
}) {
  const { label, note, isFault = false, children } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {note && <small className={isFault ? 'fault' : 'field-rule'}>{note}</small>}
    </div>
  )
}
