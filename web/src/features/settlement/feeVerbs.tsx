import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  addFeeRule,
  endFeeRule,
  feeRuleFields,
  feeState,
  getFeeRule,
  getMerchantFees,
  listFeeRules,
  listMerchantFees,
  takeBackFeeRule,
} from '@aisle/contract/settlement/fee'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput } from '../../admin/form/refInput'
import { RemoveButton } from '../../admin/removeButton'
import { useSession } from '../../live/session'
import { useText } from '../../ui/text'
import { FeePreview } from './feePreview'

const shown = [listFeeRules, getFeeRule, listMerchantFees, getMerchantFees] as const

/** Fees are what the platform takes: nobody of a merchant agrees them, so nobody of one is offered to. */
const useIsOfPlatform = (): boolean => useSession()?.info?.merchant.isPlatform === true

export const AddFeeRule = () => <AgreeFee />

/** @param merchantId whom it is agreed for, where that is known */
export function AgreeFee({ merchantId }: { merchantId?: number }) {
  const t = useText('settlement')
  const isOfPlatform = useIsOfPlatform()
  if (!isOfPlatform) return null
  return (
    <CommandButton
      endpoint={addFeeRule}
      verb="addFeeRule"
      t={t}
      tone="main"
      fields={feeRuleFields}
      groups={[
        { key: 'feeTerms', names: ['subject', 'merchantId', 'ratePercent', 'basis', 'minFen', 'belowMin'] },
        { key: 'feeDays', names: ['validFrom', 'validTo', 'reason'] },
      ]}
      initial={{ basis: 'order', minFen: 0, belowMin: 'raise', ...(merchantId === undefined ? {} : { merchantId }) }}
      inputs={{ merchantId: MerchantInput }}
      preview={FeePreview}
      changes={shown}
    />
  )
}

export function FeeVerbs({ rule }: { rule: OutputOf<typeof getFeeRule> }) {
  const t = useText('settlement')
  const isOfPlatform = useIsOfPlatform()
  if (!isOfPlatform) return null
  const common = { t, target: { id: rule.id }, changes: shown }
  return (
    <>
      {feeState.is(rule.state, 'endable') && (
        <CommandButton
          {...common}
          endpoint={endFeeRule}
          verb="endFeeRule"
          fields={feeRuleFields}
          isEnabled={rule.merchantId !== null}
        />
      )}
      {feeState.is(rule.state, 'coming') && (
        <RemoveButton {...common} endpoint={takeBackFeeRule} verb="takeBackFeeRule" changes={[listFeeRules]} />
      )}
    </>
  )
}
