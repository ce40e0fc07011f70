import {
  accountState,
  addPaymentAccount,
  copyPaymentAccount,
  editPaymentAccount,
  getPaymentAccount,
  listPaymentAccounts,
  listProviderChoices,
  paymentAccountFields,
  publishPaymentAccount,
  removePaymentAccount,
  stopPaymentAccount,
  unpublishPaymentAccount,
} from '@aisle/contract/payment/account'
import { getCollection, listCollections } from '@aisle/contract/payment/collection'
import { CommandButton } from '../../admin/commandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { MachineInput } from '../../shelf/machineInput'
import { MerchantInput } from '../../admin/form/refInput'
import { RemoveButton } from '../../admin/removeButton'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import type { AccountDetail } from './accountDrawer'

const shown = [listPaymentAccounts, getPaymentAccount, listCollections, getCollection] as const
const numbers = ['products', 'fundsMode', 'subMerchantNo', 'paymentTitle']
const receiving = ['bank', 'accountName', 'receivingNumber']
const groups = [
  { key: 'numbers', names: numbers },
  { key: 'receiving', names: receiving },
]

export function AddAccount() {
  const t = useText('payment')
  return (
    <CommandButton
      endpoint={addPaymentAccount}
      verb="addPaymentAccount"
      t={t}
      tone="main"
      fields={paymentAccountFields}
      groups={[{ key: 'who', names: ['merchantId', 'providerAccountId', 'machineCode'] }, ...groups]}
      initial={{ products: ['native', 'barcode'] }}
      inputs={{ merchantId: MerchantInput, providerAccountId: ProviderInput, machineCode: MachineInput }}
      changes={shown}
    />
  )
}

/** Those that the chosen merchant may collect under: its own first, then those of merchants above. */
function ProviderInput(props: InputProps) {
  const t = useText('payment')
  const kit = useText('admin')
  const { merchantId } = props.values
  const isChosen = typeof merchantId === 'number'
  const { data } = useEndpoint(
    listProviderChoices,
    { merchantId: isChosen ? merchantId : 0 },
    { errors: 'silent', enabled: isChosen },
  )
  return (
    <select
      {...controlProps(props)}
      disabled={!isChosen}
      value={typeof props.value === 'number' ? String(props.value) : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{kit('form.choose')}</option>
      {(isChosen ? (data?.items ?? []) : []).map(({ id, name, provider, merchantName, environment }) => (
        <option key={id} value={id}>
          {[t(`provider.${provider}`), name, merchantName, t(`environment.${environment}`)].join(' · ')}
        </option>
      ))}
    </select>
  )
}

export function AccountVerbs({ account }: { account: AccountDetail }) {
  const t = useText('payment')
  const { id, version, state, mayActivate, mayPublish, hindrances, merchantName: merchant } = account
  const vars = { merchant, provider: t(`provider.${account.provider}`) }
  const common = { t, vars, target: { id, version }, changes: shown }
  if (accountState.is(state, 'scheduled')) {
    return (
      <CommandButton
        {...common}
        endpoint={unpublishPaymentAccount}
        verb="unpublishPaymentAccount"
        isEnabled={mayPublish}
      />
    )
  }
  if (!accountState.is(state, 'preparing')) {
    return (
      <>
        <CommandButton {...common} endpoint={copyPaymentAccount} verb="copyPaymentAccount" />
        {accountState.is(state, 'activated') && (
          <CommandButton
            {...common}
            endpoint={stopPaymentAccount}
            verb="stopPaymentAccount"
            tone="danger"
            isEnabled={mayPublish}
          />
        )}
      </>
    )
  }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={publishPaymentAccount}
        verb="publishPaymentAccount"
        tone="main"
        fields={paymentAccountFields}
        isEnabled={mayActivate && hindrances.length === 0}
      />
      <CommandButton
        {...common}
        endpoint={editPaymentAccount}
        verb="editPaymentAccount"
        fields={paymentAccountFields}
        groups={groups}
        initial={Object.fromEntries(
          [...numbers, 'bank', 'accountName'].map((name) => [name, Reflect.get(account, name)]),
        )}
      />
      <RemoveButton
        {...common}
        endpoint={removePaymentAccount}
        verb="removePaymentAccount"
        changes={[listPaymentAccounts]}
      />
    </>
  )
}
