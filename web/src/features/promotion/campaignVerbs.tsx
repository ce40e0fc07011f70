import {
  addCampaign,
  blockingConflicts,
  type CampaignDetail,
  campaignFields,
  campaignState,
  editCampaign,
  endCampaign,
  getCampaign,
  listCampaigns,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  withdrawCampaign,
} from '@aisle/contract/promotion/campaign'
import { listPlans } from '@aisle/contract/promotion/plan'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { severalInput } from '../../admin/form/severalInput'
import { machinesInput } from '../../shelf/severalInputs'
import { useText } from '../../ui/text'

const changes = [listCampaigns, getCampaign, listPlans] as const
const fields = {
  ...campaignFields,
  planIds: { kind: 'text' },
  controlIds: { kind: 'text' },
} as const
const groups = [
  { key: 'what', names: ['name', 'planIds'] },
  { key: 'when', names: ['startsOn', 'endsOn'] },
  { key: 'goal', names: ['measure', 'goalPercent', 'controlPercent', 'controlIds'] },
]
const form = { fields, groups }

const wordsOf = (known: readonly { id: number; name: string }[]) =>
  Object.fromEntries(known.map(({ id, name }) => [id, name]))

const inputsFor = (campaign?: CampaignDetail) => ({
  planIds: severalInput(
    listPlans,
    ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
    wordsOf(campaign?.plans ?? []),
  ),
  controlIds: machinesInput(campaign?.namedControls),
})
const newInputs = inputsFor()

export function AddCampaign() {
  const t = useText('promotion')
  return (
    <CommandButton
      {...form}
      endpoint={addCampaign}
      verb="addCampaign"
      t={t}
      tone="main"
      inputs={newInputs}
      initial={{ measure: 'sales', goalPercent: 10, controlPercent: 10 }}
      changes={changes}
    />
  )
}

/** The next step stands first; what the state does not allow is grey and says why. */
export function CampaignVerbs({ campaign }: { campaign: CampaignDetail }) {
  const t = useText('promotion')
  const { id, state, name, conflicts } = campaign
  const common = { t, target: { id }, vars: { name, count: conflicts.length }, changes }
  const can = (verb: keyof typeof campaignState.moves) => campaignState.can(state, verb)
  const isBlocked = conflicts.some(({ kind }) => blockingConflicts.includes(kind))
  return (
    <>
      {can('schedule') && (
        <CommandButton
          {...common}
          endpoint={scheduleCampaign}
          verb="scheduleCampaign"
          tone="main"
          target={{ id, conflictsSeen: conflicts.length }}
          isEnabled={!isBlocked}
        />
      )}
      {can('withdraw') && <CommandButton {...common} endpoint={withdrawCampaign} verb="withdrawCampaign" />}
      {can('pause') && <CommandButton {...common} endpoint={pauseCampaign} verb="pauseCampaign" tone="main" />}
      {can('resume') && <CommandButton {...common} endpoint={resumeCampaign} verb="resumeCampaign" tone="main" />}
      <EditCampaign key={campaign.version} campaign={campaign} />
      <CommandButton {...common} endpoint={endCampaign} verb="endCampaign" tone="danger" isEnabled={can('end')} />
    </>
  )
}

function EditCampaign({ campaign }: { campaign: CampaignDetail }) {
  const t = useText('promotion')
  const [inputs] = useState(() => inputsFor(campaign))
  const { id, version, name, startsOn, endsOn, measure, goalPercent, controlPercent, plans, namedControls } = campaign
  const idsOf = (of: readonly { id: number }[]) => of.map((each) => each.id)
  const named = { planIds: idsOf(plans), controlIds: idsOf(namedControls) }
  return (
    <CommandButton
      {...form}
      endpoint={editCampaign}
      verb="editCampaign"
      t={t}
      inputs={inputs}
      target={{ id, version }}
      initial={{ name, startsOn, endsOn, measure, goalPercent, controlPercent, ...named }}
      isEnabled={campaignState.is(campaign.state, 'draft')}
      changes={changes}
    />
  )
}
