import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  addFeeRule,
  endFeeRule,
  feeRuleFields,
  getFeeRule,
  listFeeRules,
  takeBackFeeRule,
} from '@aisle/contract/settlement/fee'
import { CommandButton } from '../../admin/CommandButton'
import { MerchantInput } from '../../admin/form/RefInput'
import { RemoveButton } from '../../admin/RemoveButton'
import { useSession } from '../../live/session'
import { useText } from '../../ui/text'
import { FeePreview } from './fee-preview'

const shown = [listFeeRules, getFeeRule] as const

/** Fees are what the platform takes: nobody of a merchant agrees them, so nobody of one is offered to. */
const useIsOfPlatform = (): boolean => useSession()?.info?.merchant.isPlatform === true

export function AddFeeRule() {
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
        { key: 'feeTerms', names: ['subject', 'merchantId', 'ratePercent', 'basis', 'minFen'] },
        { key: 'feeDays', names: ['validFrom', 'validTo', 'reason'] },
      ]}
      initial={{ basis: 'order', minFen: 0 }}
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
      {(rule.state === 'coming' || rule.state === 'in_force') && (
        <CommandButton
          {...common}
          endpoint={endFeeRule}
          verb="endFeeRule"
          fields={feeRuleFields}
          isEnabled={rule.merchantId !== null}
        />
      )}
      {rule.state === 'coming' && (
        <RemoveButton {...common} endpoint={takeBackFeeRule} verb="takeBackFeeRule" changes={[listFeeRules]} />
      )}
    </>
  )
}
