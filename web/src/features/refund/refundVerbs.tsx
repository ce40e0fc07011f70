import { moneyText } from '@aisle/contract/kernel/text'
import { getRefund, listRefunds, summariseRefunds } from '@aisle/contract/refund/refund'
import { refundState } from '@aisle/contract/refund/states'
import {
  agreePayBack,
  approveRefund,
  dropPayBack,
  payBackRefund,
  queryRefund,
  rejectRefund,
  retryRefund,
} from '@aisle/contract/refund/verbs'
import { CommandButton } from '../../admin/commandButton'
import type { Values } from '../../admin/form/schema'
import { ScansInput } from '../../shelf/scansInput'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { useLanguage, useText } from '../../ui/text'
import type { RefundDetail } from './refundDrawer'

export const shownRefunds = [listRefunds, getRefund, summariseRefunds] as const
const payBackFields = {
  way: { kind: 'state', words: 'payBackWay', tones: {} },
  note: { kind: 'text' },
} as const
const payBackInputs = { proof: ScansInput }

/** Why a verb that the state allows can't be done now, as the server would refuse it. */
type Why = 'underWay' | 'ownRequest' | 'noChannel' | 'payBackAsked' | 'wasSent'

/** What may be done now stands first; what the state does not allow is grey and says why. */
export function RefundVerbs({ refund }: { refund: RefundDetail }) {
  const t = useText('refund')
  const amount = moneyText(refund.amountFen, useLanguage())
  const { id, state, isSent, isPayable, isOwnAboveLimit, isUnderWay, payBack } = refund
  const common = { t, target: { id }, changes: shownRefunds }
  const because = (...whys: readonly (Why | false)[]) => {
    const why = whys.find((each) => each !== false)
    return { amount, why: why ? t(`refusal.refund.${why}`) : t('verb.notNow', { state: t(`refundState.${state}`) }) }
  }
  const can = (verb: keyof typeof refundState.moves) => refundState.can(state, verb)
  const isAsked = payBack !== null && can('payBack')
  return (
    <>
      <CommandButton
        {...common}
        endpoint={approveRefund}
        verb="approveRefund"
        vars={because(can('approve') && isUnderWay && 'underWay', can('approve') && isOwnAboveLimit && 'ownRequest')}
        tone={can('approve') ? 'main' : undefined}
        isEnabled={can('approve') && !isOwnAboveLimit && !isUnderWay}
      />
      <PayBack refund={refund} because={because} />
      <CommandButton
        {...common}
        endpoint={retryRefund}
        verb="retryRefund"
        vars={because(can('retry') && !isPayable && 'noChannel', can('retry') && isAsked && 'payBackAsked')}
        isEnabled={can('retry') && isPayable && !isAsked}
      />
      <CommandButton
        {...common}
        endpoint={queryRefund}
        verb="queryRefund"
        isEnabled={can('confirm') && isAwaited(refund)}
      />
      <CommandButton
        {...common}
        endpoint={rejectRefund}
        verb="rejectRefund"
        vars={because(can('reject') && isSent && 'wasSent', can('reject') && isAsked && 'payBackAsked')}
        tone="danger"
        isEnabled={can('reject') && !isSent && !isAsked}
      />
    </>
  )
}

type Because = (...whys: readonly (Why | false)[]) => { amount: string; why: string }

/** By hand, by two people: one asks for it, another agrees. */
function PayBack({ refund, because }: { refund: RefundDetail; because: Because }) {
  const t = useText('refund')
  const { id, state, isPayable, isUnderWay, payBack } = refund
  const common = { t, target: { id }, changes: shownRefunds, preview: PayBackMoves }
  const can = refundState.can(state, 'payBack')
  if (payBack !== null && can) {
    return (
      <>
        <CommandButton
          {...common}
          endpoint={agreePayBack}
          verb="agreePayBack"
          vars={because()}
          tone="main"
          isEnabled={!payBack.isMine}
        />
        <CommandButton {...common} preview={undefined} endpoint={dropPayBack} verb="dropPayBack" />
      </>
    )
  }
  return (
    <CommandButton
      {...common}
      endpoint={payBackRefund}
      verb="payBackRefund"
      vars={because(can && isUnderWay && 'underWay')}
      tone={can && !isPayable ? 'main' : undefined}
      fields={payBackFields}
      inputs={payBackInputs}
      names={['way', 'note', 'proof']}
      needed={['proof']}
      isEnabled={can && !isUnderWay}
    />
  )
}

/** What paying it back by hand moves in the books, once another person has agreed. */
function PayBackMoves({ values }: { values: Values }) {
  const { data } = useEndpoint(getRefund, { id: Number(values.id) }, { errors: 'silent' })
  const way = values.way ?? data?.payBack?.way
  if (!data || (way !== 'transfer' && way !== 'cash')) return null
  return <Moves moves={data.payBackMoves[way]} />
}

/** A channel has it and has not said how it ended. */
const isAwaited = ({ state, method }: RefundDetail): boolean =>
  refundState.can(state, 'fail') && method !== 'member_card'
