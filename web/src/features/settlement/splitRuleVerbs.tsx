import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listMachines } from '@aisle/contract/fleet/machine'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import {
  addSplitRule,
  endSplitRule,
  getSplitRule,
  listSplitRules,
  splitRuleFields,
  splitRuleState,
  takeBackSplitRule,
} from '@aisle/contract/settlement/splitRule'
import { CommandButton } from '../../admin/commandButton'
import { MerchantInput, refInput } from '../../admin/form/refInput'
import { RemoveButton } from '../../admin/removeButton'
import { useText } from '../../ui/text'
import { SharesInput } from './splitShares'
import { SplitPreview } from './splitPreview'

const shown = [listSplitRules, getSplitRule] as const

const GroupInput = refInput({ list: listMachineGroups, optionOf: ({ id, name }) => ({ value: id, word: name }) })
const MachineIdInput = refInput({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
})

/** Below the terms stands what they would have given in the last month, before anybody agrees them. */
export function AddSplitRule() {
  const t = useText('settlement')
  return (
    <CommandButton
      endpoint={addSplitRule}
      verb="addSplitRule"
      t={t}
      tone="main"
      fields={splitRuleFields}
      groups={[
        { key: 'splitWho', names: ['merchantId', 'groupId', 'machineId'] },
        { key: 'splitShares', names: ['lines'] },
        { key: 'splitDays', names: ['validFrom', 'validTo', 'reason'] },
      ]}
      inputs={{ merchantId: MerchantInput, groupId: GroupInput, machineId: MachineIdInput, lines: SharesInput }}
      preview={SplitPreview}
      changes={shown}
    />
  )
}

export function SplitRuleVerbs({ rule }: { rule: OutputOf<typeof getSplitRule> }) {
  const t = useText('settlement')
  const common = { t, target: { id: rule.id }, changes: shown }
  return (
    <>
      {splitRuleState.is(rule.state, 'endable') && (
        <CommandButton {...common} endpoint={endSplitRule} verb="endSplitRule" fields={splitRuleFields} />
      )}
      {splitRuleState.is(rule.state, 'coming') && (
        <RemoveButton {...common} endpoint={takeBackSplitRule} verb="takeBackSplitRule" changes={[listSplitRules]} />
      )}
    </>
  )
}
