import { listPayoutAccounts, payoutAccountFields, putPayoutAccount } from '@aisle/contract/funds/payoutAccount'
import { withdrawalState } from '@aisle/contract/funds/states'
import {
  applyWithdrawal,
  approveWithdrawal,
  cancelWithdrawal,
  getFunds,
  getWithdrawal,
  listWithdrawals,
  queryWithdrawal,
  rejectWithdrawal,
  summariseWithdrawals,
  withdrawalFields,
} from '@aisle/contract/funds/withdrawal'
import { moneyText } from '@aisle/contract/kernel/text'
import { useDeferredValue } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import type { Values } from '../../admin/form/schema'
import { useEndpoint } from '../../live/query'
import { can, useSession } from '../../live/session'
import { useLanguage, useText } from '../../ui/text'
import styles from './funds.module.css'
import type { WithdrawalDetail } from './withdrawalDrawer'

const shown = [listWithdrawals, getWithdrawal, summariseWithdrawals, getFunds] as const
const inputs = { merchantId: MerchantInput }

export function WithdrawalPageVerbs() {
  const t = useText('funds')
  const own = useSession()?.info?.merchant
  return (
    <>
      {own?.isPlatform && can(putPayoutAccount.access) && <PayerButton />}
      <CommandButton
        endpoint={applyWithdrawal}
        verb="applyWithdrawal"
        t={t}
        tone="main"
        fields={withdrawalFields}
        inputs={inputs}
        names={['merchantId', 'amountFen']}
        initial={{ merchantId: own?.id }}
        preview={ApplyPreview}
        changes={shown}
      />
    </>
  )
}

/** What it costs and leaves, or why it can't be had now, before it is asked for. */
function ApplyPreview({ values: { merchantId, amountFen } }: { values: Values }) {
  const t = useText('funds')
  const language = useLanguage()
  const amount = useDeferredValue(amountFen)
  const typed = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
  const asked = { merchantId: Number(merchantId), ...(typed !== undefined && { amountFen: typed }) }
  const isChosen = typeof merchantId === 'number'
  const { data } = useEndpoint(getFunds, asked, { errors: 'silent', enabled: isChosen })
  if (!isChosen || !data) return null
  const money = (fen: number) => moneyText(fen, language)
  const { refusal, feeFen, totalFen, withdrawableFen, limitFen } = data
  if (refusal) return <p className={styles.fundsWhy}>{refusal.msg}</p>
  return (
    <ul className={styles.says} role="status">
      <li>{`${t('funds.withdrawable')} ${money(withdrawableFen)}`}</li>
      {typed !== undefined && feeFen !== null && totalFen !== null && (
        <li>
          {t('preview.fee', { fee: money(feeFen), total: money(totalFen), left: money(withdrawableFen - totalFen) })}
        </li>
      )}
      {typed !== undefined && typed > limitFen && <li>{t('preview.second', { limit: money(limitFen) })}</li>}
    </ul>
  )
}

/** Whose account pays, for people of the platform; where there is one, its terms stand in the form. */
function PayerButton() {
  const t = useText('funds')
  const { data } = useEndpoint(listPayoutAccounts, {}, { errors: 'silent', enabled: can(listPayoutAccounts.access) })
  const only = data?.items.length === 1 ? data.items[0] : undefined
  const { id: _, merchantName: __, ...kept } = only ?? { id: 0, merchantName: '' }
  return (
    <CommandButton
      endpoint={putPayoutAccount}
      verb="putPayoutAccount"
      t={t}
      fields={payoutAccountFields}
      inputs={inputs}
      names={['merchantId', 'fundsMode', 'holder', 'bank', 'customerNo', 'address', 'secret', 'isOn']}
      initial={{ isOn: true, fundsMode: 'custody', ...kept }}
      changes={[listPayoutAccounts, getFunds]}
    />
  )
}

/** What may be done now stands first; what can't be is grey and says why. */
export function WithdrawalVerbs({ withdrawal }: { withdrawal: WithdrawalDetail }) {
  const t = useText('funds')
  const amount = moneyText(withdrawal.amountFen, useLanguage())
  const { id, state, whyNot, isOwn, merchantName: merchant } = withdrawal
  const may = (verb: keyof typeof withdrawalState.moves) => withdrawalState.can(state, verb)
  const notNow = t('verb.notNow', { state: t(`withdrawalState.${state}`) })
  const why = (verb: 'approve' | 'reject') => (may(verb) && whyNot ? t(`refusal.withdrawal.${whyNot}`) : notNow)
  const common = { t, target: { id }, changes: shown }
  const mayReject = may('reject') && (whyNot === null || whyNot === 'samePerson')
  const isUnderWay = withdrawalState.is(state, 'underWay')
  return (
    <>
      <CommandButton
        {...common}
        endpoint={approveWithdrawal}
        verb="approveWithdrawal"
        vars={{ amount, merchant, why: why('approve') }}
        tone="main"
        isEnabled={may('approve') && whyNot === null}
      />
      <CommandButton
        {...common}
        endpoint={rejectWithdrawal}
        verb="rejectWithdrawal"
        vars={{ amount, why: why('reject') }}
        tone="danger"
        isEnabled={mayReject}
      />
      {isOwn && (
        <CommandButton
          {...common}
          endpoint={cancelWithdrawal}
          verb="cancelWithdrawal"
          vars={{ amount, why: notNow }}
          isEnabled={may('cancel')}
        />
      )}
      <CommandButton
        {...common}
        endpoint={queryWithdrawal}
        verb="queryWithdrawal"
        vars={{ why: notNow }}
        isEnabled={isUnderWay}
      />
    </>
  )
}
