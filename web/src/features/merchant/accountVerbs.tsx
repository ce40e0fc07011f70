import {
  approveBankAccount,
  bankAccountFields,
  bankAccountState,
  draftBankAccount,
  editBankAccount,
  getBankAccount,
  listBankAccounts,
  rejectBankAccount,
  revealBankAccount,
  submitBankAccount,
  withdrawBankAccount,
} from '@aisle/contract/merchant/bankAccount'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { CopyButton } from '../../ui/control/copy'
import { Dialog } from '../../ui/feedback/dialog'
import { Facts } from '../../ui/facts'
import { useText } from '../../ui/text'
import type { AccountDetail } from './accountDrawer'
import { ScansInput } from '../../shelf/scansInput'

const shown = [listBankAccounts, getBankAccount] as const
const inputs = { merchantId: MerchantInput, pictures: ScansInput }
const bank = ['holderKind', 'holder', 'bank', 'bankCity', 'branch', 'bankFullName', 'accountNumber']
const shop = ['shortName', 'storeName', 'businessType', 'province', 'city', 'street']
const contact = ['contact', 'contactPhone', 'documentKind', 'documentNumber', 'pictures']
const groups = [
  { key: 'bank', names: bank },
  { key: 'shop', names: shop },
  { key: 'contact', names: contact },
]

export function WriteAccount() {
  const t = useText('merchant')
  return (
    <CommandButton
      endpoint={draftBankAccount}
      verb="draftBankAccount"
      t={t}
      tone="main"
      fields={bankAccountFields}
      groups={[{ key: 'bank', names: ['merchantId', ...bank] }, ...groups.slice(1)]}
      initial={{ holderKind: 'company', documentKind: 'business_licence' }}
      inputs={inputs}
      changes={shown}
    />
  )
}

export function AccountVerbs({ account }: { account: AccountDetail }) {
  const t = useText('merchant')
  const { id, version, state, merchantName: merchant, holder, accountNumber, isOwn } = account
  const vars = { merchant, holder, account: accountNumber }
  const common = { t, vars, target: { id, version }, changes: shown }
  const can = (verb: keyof typeof bankAccountState.moves) => bankAccountState.can(state, verb)
  const mayReview = can('approve') && !isOwn
  return (
    <>
      {bankAccountState.is(state, 'pending') && (
        <>
          <CommandButton
            {...common}
            endpoint={approveBankAccount}
            verb="approveBankAccount"
            tone="main"
            isEnabled={mayReview}
          />
          <CommandButton
            {...common}
            endpoint={rejectBankAccount}
            verb="rejectBankAccount"
            tone="danger"
            isEnabled={mayReview}
          />
        </>
      )}
      {bankAccountState.is(state, 'draft') && (
        <>
          <CommandButton {...common} endpoint={submitBankAccount} verb="submitBankAccount" tone="main" />
          <CommandButton
            {...common}
            endpoint={editBankAccount}
            verb="editBankAccount"
            fields={bankAccountFields}
            groups={groups}
            inputs={inputs}
            initial={writtenIn(account)}
          />
        </>
      )}
      {can('withdraw') && (
        <CommandButton {...common} endpoint={withdrawBankAccount} verb="withdrawBankAccount" tone="danger" />
      )}
      <Reveal account={account} />
    </>
  )
}

/** The numbers are not here to be shown: left empty they stay as they are. */
const writtenIn = (account: AccountDetail) =>
  Object.fromEntries(
    [...bank, ...shop, ...contact]
      .filter((name) => !name.endsWith('Number'))
      .map((name) => [name, Reflect.get(account, name)]),
  )

function Reveal({ account: { id, merchantName: merchant } }: { account: AccountDetail }) {
  const t = useText('merchant')
  const kernel = useText('kernel')
  const [numbers, setNumbers] = useState<{ accountNumber: string; documentNumber: string } | null>(null)
  const close = () => setNumbers(null)
  const line = (name: 'accountNumber' | 'documentNumber') => ({
    label: t(`field.${name}`),
    value: numbers && (
      <>
        {numbers[name]} <CopyButton text={numbers[name]} />
      </>
    ),
  })
  return (
    <>
      <CommandButton
        t={t}
        target={{ id }}
        vars={{ merchant }}
        changes={[]}
        endpoint={revealBankAccount}
        verb="revealBankAccount"
        onDone={setNumbers}
      />
      {numbers && (
        <Dialog
          title={t('bankAccount.reveal.title', { merchant })}
          onSubmit={close}
          onCancel={close}
          actions={
            <button type="submit" className="btn btn-main">
              {kernel('action.close')}
            </button>
          }
        >
          <Facts facts={[line('accountNumber'), line('documentNumber')]} />
          <p className="quiet">{t('bankAccount.reveal.note')}</p>
        </Dialog>
      )}
    </>
  )
}
