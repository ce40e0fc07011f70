import {
  addPlan,
  editPlan,
  endPlan,
  getPlan,
  listPlan,
  listPlans,
  pausePlan,
  planState,
} from '@aisle/contract/promotion/plan'
import { useState } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { useText } from '../../ui/text'
import type { PlanDetail } from './planDrawer'
import { planFormFields, planGroups, planInputs, withoutOthers } from './planInputs'

const changes = [listPlans, getPlan] as const
const form = { fields: planFormFields, groups: planGroups, without: withoutOthers }
const newInputs = planInputs()

export function AddPlan() {
  const t = useText('promotion')
  return (
    <CommandButton
      {...form}
      endpoint={addPlan}
      verb="addPlan"
      t={t}
      tone="main"
      inputs={newInputs}
      initial={{ kind: 'rate', paidPercent: 80, priority: 5 }}
      changes={changes}
    />
  )
}

/** The next step stands first; what the state does not allow is grey and says why. */
export function PlanVerbs({ plan }: { plan: PlanDetail }) {
  const t = useText('promotion')
  const { id, state, name, conflicts } = plan
  const common = { t, target: { id }, vars: { name, count: conflicts.length }, changes }
  const can = (verb: keyof typeof planState.moves) => planState.can(state, verb)
  const isNowhere = conflicts.some(({ kind }) => kind === 'nowhere')
  return (
    <>
      {!can('pause') && (
        <CommandButton
          {...common}
          endpoint={listPlan}
          verb="listPlan"
          tone="main"
          target={{ id, conflictsSeen: conflicts.length }}
          isEnabled={can('list') && !isNowhere}
        />
      )}
      {can('pause') && <CommandButton {...common} endpoint={pausePlan} verb="pausePlan" tone="main" />}
      <EditPlan key={plan.version} plan={plan} />
      <CommandButton {...common} endpoint={endPlan} verb="endPlan" tone="danger" isEnabled={can('end')} />
    </>
  )
}

function EditPlan({ plan }: { plan: PlanDetail }) {
  const t = useText('promotion')
  const [inputs] = useState(() => planInputs(plan))
  const { id, version, products, categories, machines, groups } = plan
  const idsOf = (of: readonly { id: number }[]) => of.map((each) => each.id)
  const named = {
    productIds: idsOf(products),
    categoryIds: idsOf(categories),
    machineIds: idsOf(machines),
    groupIds: idsOf(groups),
  }
  const shown = planGroups.flatMap(({ names }) => names)
  const values: Record<string, unknown> = { ...plan, ...named }
  return (
    <CommandButton
      {...form}
      endpoint={editPlan}
      verb="editPlan"
      t={t}
      inputs={inputs}
      target={{ id, version }}
      initial={Object.fromEntries(shown.map((each) => [each, values[each]]))}
      isEnabled={planState.is(plan.state, 'editable')}
      changes={changes}
    />
  )
}
