import {
  addFlowCard,
  bindFlowCard,
  editFlowCard,
  type FlowCardDetail,
  flowCardFields,
  getFlowCard,
  listFlowCards,
  releaseFlowCard,
  removeFlowCard,
  summariseFlowCards,
} from '@aisle/contract/fleet/flowCard'
import { useState } from 'react'
import { CommandButton } from '../../admin/CommandButton'
import { MerchantInput } from '../../admin/form/RefInput'
import { RemoveButton } from '../../admin/RemoveButton'
import { can } from '../../live/session'
import { useText } from '../../ui/text'
import { FlowCardImport } from './flow-card-import'
import { MachineIdInput } from './machine-inputs'

const shown = [listFlowCards, getFlowCard, summariseFlowCards] as const
const names = [
  'carrier',
  'cardType',
  'phone',
  'planMb',
  'alarmMb',
  'openedOn',
  'expiresOn',
  'imei',
  'imsi',
  'remark',
] as const

export function FlowCardActions() {
  const t = useText('fleet')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      {can(addFlowCard.access) && (
        <button type="button" className="btn" onClick={() => setImporting(true)}>
          {t('flowCard.import')}
        </button>
      )}
      <CommandButton
        endpoint={addFlowCard}
        verb="addFlowCard"
        t={t}
        tone="main"
        fields={flowCardFields}
        names={['merchantId', 'iccid', ...names]}
        inputs={{ merchantId: MerchantInput }}
        initial={{ cardType: 'nano', planMb: 0, alarmMb: 0 }}
        changes={shown}
      />
      {isImporting && <FlowCardImport onClose={() => setImporting(false)} />}
    </>
  )
}

export function FlowCardVerbs({ card }: { card: FlowCardDetail }) {
  const t = useText('fleet')
  const { id, version, iccid, isBound, machineCode } = card
  const common = { t, target: { id }, vars: { iccid, code: machineCode ?? '' }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editFlowCard}
        verb="editFlowCard"
        target={{ id, version }}
        fields={flowCardFields}
        names={names}
        initial={Object.fromEntries(names.map((each) => [each, card[each]]))}
      />
      <CommandButton
        {...common}
        endpoint={bindFlowCard}
        verb="bindFlowCard"
        tone="main"
        inputs={{ machineId: MachineIdInput }}
      />
      <CommandButton {...common} endpoint={releaseFlowCard} verb="releaseFlowCard" isEnabled={isBound} />
      <RemoveButton
        {...common}
        endpoint={removeFlowCard}
        verb="removeFlowCard"
        isEnabled={!isBound}
        changes={[listFlowCards, summariseFlowCards]}
      />
    </>
  )
}
