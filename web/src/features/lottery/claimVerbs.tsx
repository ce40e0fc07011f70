import {
  addClaim,
  claimFields,
  getClaim,
  listClaims,
  passClaim,
  rejectClaim,
  summariseClaims,
} from '@aisle/contract/lottery/claim'
import { getPlay, listPlays, summarisePlays } from '@aisle/contract/lottery/play'
import { claimState } from '@aisle/contract/lottery/states'
import { CommandButton } from '../../admin/commandButton'
import { ScansInput } from '../../shelf/scansInput'
import { useText } from '../../ui/text'
import type { ClaimDetail } from './claimDrawer'
import { placeInput } from './placeInput'

const shown = [listClaims, getClaim, summariseClaims, getPlay, listPlays, summarisePlays] as const
const inputs = { pictures: ScansInput }

/** At the counter: for a play that is known, or for the order number that a customer shows. */
export function AddClaim({ orderNo, isEnabled = true }: { orderNo?: string; isEnabled?: boolean }) {
  const t = useText('lottery')
  return (
    <CommandButton
      endpoint={addClaim}
      verb="addClaim"
      t={t}
      tone="main"
      fields={claimFields}
      inputs={inputs}
      target={orderNo === undefined ? {} : { orderNo }}
      names={[...(orderNo === undefined ? ['orderNo'] : []), 'claimant', 'phone', 'note', 'pictures']}
      isEnabled={isEnabled}
      changes={shown}
    />
  )
}

export function ClaimVerbs({ claim }: { claim: ClaimDetail }) {
  const t = useText('lottery')
  const { id, state, isOwn, productName: product, claimant, places } = claim
  const common = { t, target: { id }, vars: { product, claimant }, changes: shown, fields: claimFields }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={passClaim}
        verb="passClaim"
        tone="main"
        names={['placeId', 'reviewNote']}
        inputs={{ placeId: placeInput(places) }}
        initial={{ placeId: places[0]?.id ?? null }}
        isEnabled={claimState.can(state, 'pass') && !isOwn}
      />
      <CommandButton
        {...common}
        endpoint={rejectClaim}
        verb="rejectClaim"
        tone="danger"
        names={['reviewNote']}
        isEnabled={claimState.can(state, 'reject') && !isOwn}
      />
    </>
  )
}
