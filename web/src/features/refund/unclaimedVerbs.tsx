import { moneyText } from '@aisle/contract/kernel/text'
import { listProblems } from '@aisle/contract/refund/problem'
import {
  agreeUnclaimed,
  attachUnclaimed,
  dropUnclaimed,
  getUnclaimed,
  isAttachable,
  listUnclaimed,
  refundUnclaimed,
  retryUnclaimed,
  unclaimedState,
} from '@aisle/contract/refund/unclaimed'
import { CommandButton } from '../../admin/commandButton'
import { useLanguage, useText } from '../../ui/text'
import type { UnclaimedDetail } from './unclaimedDrawer'

const shown = [listUnclaimed, getUnclaimed, listProblems] as const

/** Back to the payer or onto an order; a second person agrees to what is above the limit. */
export function UnclaimedVerbs({ unclaimed }: { unclaimed: UnclaimedDetail }) {
  const t = useText('refund')
  const amount = moneyText(unclaimed.unclaimedFen, useLanguage())
  const { id, state, cause, candidates, isAskedByMe } = unclaimed
  const common = { t, target: { id }, vars: { amount }, changes: shown }
  const isOpen = unclaimedState.can(state, 'ask')
  const [likely] = candidates
  return (
    <>
      {unclaimedState.can(state, 'drop') && (
        <>
          <CommandButton
            {...common}
            endpoint={agreeUnclaimed}
            verb="agreeUnclaimed"
            tone="main"
            isEnabled={!isAskedByMe}
          />
          <CommandButton {...common} endpoint={dropUnclaimed} verb="dropUnclaimed" />
        </>
      )}
      <CommandButton
        {...common}
        endpoint={refundUnclaimed}
        verb="refundUnclaimed"
        tone={isOpen ? 'main' : undefined}
        isEnabled={isOpen}
      />
      <CommandButton
        {...common}
        endpoint={attachUnclaimed}
        verb="attachUnclaimed"
        names={['orderNo', 'reason']}
        initial={{ orderNo: candidates.length === 1 ? (likely?.orderNo ?? '') : '' }}
        isEnabled={isOpen && isAttachable(cause)}
      />
      {unclaimedState.can(state, 'retry') && (
        <CommandButton {...common} endpoint={retryUnclaimed} verb="retryUnclaimed" tone="main" />
      )}
    </>
  )
}
