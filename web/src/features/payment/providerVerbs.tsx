import { listAcquirers } from '@aisle/contract/payment/acquirer'
import {
  addProviderAccount,
  editProviderAccount,
  getProviderAccount,
  type KeyKind,
  listProviderAccounts,
  providerAccountFields,
  setProviderKey,
  testProviderKeys,
} from '@aisle/contract/payment/provider'
import { CommandButton } from '../../admin/commandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { MerchantInput, refInput } from '../../admin/form/refInput'
import { useText } from '../../ui/text'
import type { ProviderDetail } from './providerDrawer'
import styles from './payment.module.css'
import { classes } from '../../ui/classes'

const shown = [listProviderAccounts, getProviderAccount] as const
const names = ['name', 'environment', 'appId', 'providerNo', 'gateway'] as const

/** Of those that speak what was chosen. */
const AcquirerInput = refInput({
  list: listAcquirers,
  optionOf: ({ id, name }) => ({ value: id, word: name }),
  query: ({ provider }) => (typeof provider === 'string' && provider !== '' ? { provider } : {}),
})

export function AddProvider() {
  const t = useText('payment')
  return (
    <CommandButton
      endpoint={addProviderAccount}
      verb="addProviderAccount"
      t={t}
      tone="main"
      fields={providerAccountFields}
      names={['merchantId', 'provider', 'acquirerId', ...names]}
      initial={{ environment: 'production' }}
      inputs={{ merchantId: MerchantInput, acquirerId: AcquirerInput }}
      changes={shown}
    />
  )
}

export function ProviderVerbs({ account }: { account: ProviderDetail }) {
  const t = useText('payment')
  const { id, version, keyState, testOutcome } = account
  const common = { t, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={testProviderKeys}
        verb="testProviderKeys"
        target={{ id }}
        isEnabled={keyState !== 'missing'}
        {...(testOutcome === 'good' ? {} : { tone: 'main' as const })}
      />
      <CommandButton
        {...common}
        endpoint={editProviderAccount}
        verb="editProviderAccount"
        target={{ id, version }}
        fields={providerAccountFields}
        names={names}
        initial={Object.fromEntries(names.map((name) => [name, account[name]]))}
      />
    </>
  )
}

export function SetKey({ account, kind }: { account: ProviderDetail; kind: KeyKind }) {
  const t = useText('payment')
  const isPublic = kind === 'provider_key'
  return (
    <div>
      <CommandButton
        t={t}
        endpoint={setProviderKey}
        verb="setProviderKey"
        target={{ id: account.id, kind }}
        names={isPublic ? ['keyText', 'serial'] : ['keyText']}
        inputs={{ keyText: KeyInput }}
        changes={shown}
      />
    </div>
  )
}

/** Providers hand keys out as files or as text to copy; either way it is read here and never comes back. */
function KeyInput(props: InputProps) {
  const { value, onChange, id } = props
  const t = useText('payment')
  return (
    <>
      <textarea
        {...controlProps(props)}
        className="input-code"
        rows={6}
        spellCheck={false}
        autoComplete="off"
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      />
      <label className={classes('btn', styles.file)}>
        {t('key.choose')}
        <input
          id={`${id}-file`}
          type="file"
          className="hidden-text"
          accept=".pem,.crt,.cer,.key,.txt"
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file && file.size <= 16_384) void file.text().then(onChange)
          }}
        />
      </label>
    </>
  )
}
