import {
  addOrganisation,
  getOrganisation,
  moveOrganisation,
  type Organisation,
  organisation,
  organisationState,
  removeOrganisation,
  editOrganisation,
  resumeOrganisation,
  stopOrganisation,
  treeOrganisations,
} from '@aisle/contract/people/organisation'
import { createContext, use } from 'react'
import { CommandButton } from '../../admin/commandButton'
import type { InputProps } from '../../admin/form/input'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { IdSelect } from './choiceInputs'
import { branchIds, indented } from './tree.rules'

/** All units of the merchant, for choosing where to hang one. */
export const UnitsContext = createContext<readonly Organisation[]>([])
const MovedContext = createContext(0)
const changes = [treeOrganisations, getOrganisation] as const
const { fields } = organisation

export function AddUnit({ merchantId, parentId }: { merchantId: number; parentId: number | null }) {
  const t = useText('people')
  return (
    <CommandButton
      endpoint={addOrganisation}
      verb={parentId === null ? 'addUnit' : 'addUnitBelow'}
      t={t}
      tone="main"
      target={{ merchantId, parentId }}
      names={['name', 'kind']}
      fields={fields}
      initial={{ kind: 'department' }}
      changes={changes}
    />
  )
}

export function UnitVerbs(props: { unit: Organisation & { merchantId: number }; onRemoved: () => void }) {
  const { unit, onRemoved } = props
  const t = useText('people')
  const { id, version, name, kind, parentId, state, memberCount, machineCount, merchantId } = unit
  const units = use(UnitsContext)
  const children = units.filter((each) => each.parentId === id).length
  const common = { t, vars: { name, children, members: memberCount, machines: machineCount }, changes }
  const removed = () => {
    toast('good', t('verb.removeUnit.done', { name }))
    onRemoved()
  }
  return (
    <MovedContext value={id}>
      <AddUnit merchantId={merchantId} parentId={id} />
      <CommandButton
        {...common}
        endpoint={editOrganisation}
        verb="renameUnit"
        target={{ id, version }}
        fields={fields}
        initial={{ name, kind }}
      />
      <CommandButton
        {...common}
        endpoint={moveOrganisation}
        verb="moveUnit"
        target={{ id, version }}
        inputs={{ parentId: PlaceInput }}
        initial={{ parentId }}
      />
      {organisationState.is(state, 'active') ? (
        <CommandButton {...common} endpoint={stopOrganisation} verb="stopUnit" target={{ id }} tone="danger" />
      ) : (
        <CommandButton
          {...common}
          endpoint={resumeOrganisation}
          verb="resumeUnit"
          target={{ id }}
          tone="main"
          isEnabled={organisationState.can(state, 'resume')}
        />
      )}
      <CommandButton
        {...common}
        endpoint={removeOrganisation}
        verb="removeUnit"
        target={{ id }}
        tone="danger"
        isEnabled={children + memberCount + machineCount === 0}
        changes={[treeOrganisations]}
        onDone={removed}
      />
    </MovedContext>
  )
}

/** Anywhere but below itself. */
function PlaceInput(props: InputProps) {
  const units = use(UnitsContext)
  const own = branchIds(units, use(MovedContext))
  return <IdSelect {...props} options={indented(units).filter(({ id }) => !own.has(id))} />
}
