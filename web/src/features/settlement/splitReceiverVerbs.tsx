import { listPaymentAccounts } from '@aisle/contract/payment/account'
import { sharingModes } from '@aisle/contract/payment/states'
import { listUsers } from '@aisle/contract/people/user'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  addSplitReceiver,
  bindSplitReceiver,
  getSplitReceiver,
  listSplitReceivers,
  splitReceiverFields,
  unbindSplitReceiver,
} from '@aisle/contract/settlement/splitReceiver'
import { splitReceiverState } from '@aisle/contract/settlement/splitStates'
import { CommandButton } from '../../admin/commandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { MerchantInput, refInput } from '../../admin/form/refInput'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

const shown = [listSplitReceivers, getSplitReceiver] as const

const UserInput = refInput({
  list: listUsers,
  optionOf: ({ id, name, account }) => ({ value: id, word: name, note: account }),
})

/** Accounts whose money may be shared, each with its channel. */
function AccountInput(props: InputProps) {
  const t = useText('settlement')
  const kit = useText('admin')
  const asked = { state: 'activated', sort: 'merchant', pageSize: 200 } as const
  const { data } = useEndpoint(listPaymentAccounts, asked, { errors: 'silent', staleTime: 60_000 })
  const able = (data?.items ?? []).filter(
    ({ fundsMode, provider }) => sharingModes.some((mode) => mode === fundsMode) && provider !== 'unionpay',
  )
  return (
    <select
      {...controlProps(props)}
      value={typeof props.value === 'number' ? props.value : ''}
      onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{kit('form.none')}</option>
      {able.map(({ id, merchantName, provider, subMerchantNo, machineCode }) => (
        <option key={id} value={id}>
          {[t(`method.${provider}`), merchantName, machineCode ?? subMerchantNo].filter(Boolean).join(' · ')}
        </option>
      ))}
    </select>
  )
}

export function AddSplitReceiver() {
  const t = useText('settlement')
  return (
    <CommandButton
      endpoint={addSplitReceiver}
      verb="addSplitReceiver"
      t={t}
      tone="main"
      fields={splitReceiverFields}
      groups={[
        { key: 'receiverWho', names: ['kind', 'ofMerchantId', 'ofUserId', 'receiverName'] },
        { key: 'receiverAccount', names: ['accountId', 'accountType', 'account', 'consents'] },
      ]}
      initial={{ kind: 'outside', consents: false }}
      inputs={{ accountId: AccountInput, ofMerchantId: MerchantInput, ofUserId: UserInput }}
      changes={shown}
    />
  )
}

export function SplitReceiverVerbs({ receiver }: { receiver: OutputOf<typeof getSplitReceiver> }) {
  const t = useText('settlement')
  const common = { t, target: { id: receiver.id }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={bindSplitReceiver}
        verb="bindSplitReceiver"
        isEnabled={splitReceiverState.can(receiver.state, 'bind')}
      />
      <CommandButton
        {...common}
        endpoint={unbindSplitReceiver}
        verb="unbindSplitReceiver"
        isEnabled={splitReceiverState.can(receiver.state, 'unbind')}
      />
    </>
  )
}
