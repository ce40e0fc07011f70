import {
  addRepairOrder,
  addRepairPart,
  assignRepairOrder,
  cancelRepairOrder,
  closeRepairOrder,
  editRepairOrder,
  finishRepairOrder,
  getRepairOrder,
  listRepairOrders,
  repairOrderFields,
  repairOrderState,
  resumeRepairOrder,
  startRepairOrder,
  summariseRepairOrders,
} from '@aisle/contract/maintenance/repairOrder'
import { CommandButton } from '../../admin/commandButton'
import { MachineInput } from '../../shelf/machineInput'
import { ScansInput } from '../../shelf/scansInput'
import { useText } from '../../ui/text'
import { AssigneeInput } from './assigneeInput'
import { PlansButton } from './repairPlans'
import type { RepairDetail } from './repairDrawer'

export const shownOrders = [listRepairOrders, getRepairOrder, summariseRepairOrders] as const
const inputs = { machineCode: MachineInput, assigneeId: AssigneeInput, pictures: ScansInput }
const partFields = { costFen: { kind: 'money' }, quantity: { kind: 'count' } } as const

export function RepairPageVerbs() {
  const t = useText('maintenance')
  return (
    <>
      <PlansButton />
      <CommandButton
        endpoint={addRepairOrder}
        verb="addRepairOrder"
        t={t}
        tone="main"
        fields={repairOrderFields}
        inputs={inputs}
        names={['machineCode', 'problem', 'slots', 'kind', 'assigneeId', 'dueOn', 'pictures']}
        initial={{ kind: 'repair' }}
        changes={shownOrders}
      />
    </>
  )
}

/** The next step stands first; what the state does not allow is grey and says why. */
export function RepairVerbs({ order }: { order: RepairDetail }) {
  const t = useText('maintenance')
  const { id, version, state, tests, problem, slots, dueOn, pictures } = order
  const common = { t, target: { id }, changes: shownOrders }
  const can = (verb: keyof typeof repairOrderState.moves) => repairOrderState.can(state, verb)
  const is = (name: Parameters<typeof repairOrderState.is>[1]) => repairOrderState.is(state, name)
  const isTested = tests.every(({ passedAt }) => passedAt !== null)
  const next = (verb: keyof typeof repairOrderState.moves) => (can(verb) ? ('main' as const) : undefined)
  return (
    <>
      {(can('start') || is('in_progress')) && (
        <CommandButton
          {...common}
          endpoint={startRepairOrder}
          verb="startRepairOrder"
          tone={next('start')}
          isEnabled={can('start')}
        />
      )}
      {is('undone') && (
        <CommandButton
          {...common}
          endpoint={finishRepairOrder}
          verb="finishRepairOrder"
          tone={next('finish')}
          isEnabled={can('finish') && isTested}
        />
      )}
      {is('done') && (
        <>
          <CommandButton {...common} endpoint={closeRepairOrder} verb="closeRepairOrder" tone="main" />
          <CommandButton {...common} endpoint={resumeRepairOrder} verb="resumeRepairOrder" />
        </>
      )}
      <CommandButton
        {...common}
        endpoint={addRepairPart}
        verb="addRepairPart"
        fields={partFields}
        initial={{ quantity: 1 }}
        isEnabled={!is('over')}
      />
      <CommandButton
        {...common}
        endpoint={assignRepairOrder}
        verb="assignRepairOrder"
        inputs={inputs}
        isEnabled={can('assign')}
      />
      <CommandButton
        {...common}
        endpoint={editRepairOrder}
        verb="editRepairOrder"
        target={{ id, version }}
        fields={repairOrderFields}
        inputs={inputs}
        initial={{ problem, slots: slots.join(', '), dueOn, pictures }}
        isEnabled={!is('over')}
      />
      <CommandButton
        {...common}
        endpoint={cancelRepairOrder}
        verb="cancelRepairOrder"
        tone="danger"
        isEnabled={can('cancel')}
      />
    </>
  )
}
