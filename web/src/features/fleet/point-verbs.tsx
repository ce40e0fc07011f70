import { listAreas } from '@aisle/contract/fleet/area'
import {
  addPoint,
  editPoint,
  getPoint,
  listPoints,
  type PointDetail,
  pointFields,
  pointState,
  removePoint,
  resumePoint,
  stopPoint,
} from '@aisle/contract/fleet/point'
import { CommandButton } from '../../admin/CommandButton'
import { groupInput } from '../../admin/form/inputs'
import { MerchantInput } from '../../admin/form/RefInput'
import type { Values } from '../../admin/form/schema'
import { RemoveButton } from '../../admin/RemoveButton'
import { useText } from '../../ui/text'
import { DistrictInput, HospitalInput } from './pickers'
import { PositionInput, UNMARKED } from './position-input'

const shown = [listPoints, getPoint, listAreas] as const
/** What is needed first: where it is. The contract and the rest may come later. */
const names = [
  'name',
  'kind',
  'province',
  'city',
  'position',
  'address',
  'districtId',
  'hospitalId',
  'building',
  'floor',
  'contact',
  'phone',
  'rentFen',
  'remark',
] as const
const inputs = {
  merchantId: MerchantInput,
  districtId: DistrictInput,
  hospitalId: HospitalInput,
  position: groupInput(PositionInput),
}
const without = ({ kind }: Values): string[] => (kind === 'hospital' ? [] : ['hospitalId'])

export function AddPoint() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addPoint}
      verb="addPoint"
      t={t}
      tone="main"
      fields={pointFields}
      names={['merchantId', ...names]}
      inputs={inputs}
      without={without}
      initial={{ position: UNMARKED, rentFen: 0 }}
      changes={shown}
    />
  )
}

export function PointVerbs({ point }: { point: PointDetail }) {
  const t = useText('fleet')
  const { id, version, name, state, machineCount: machines, districtName, hospitalName } = point
  const common = { t, target: { id }, vars: { name, machines }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editPoint}
        verb="editPoint"
        target={{ id, version }}
        fields={pointFields}
        names={names}
        inputs={inputs}
        without={without}
        initial={{ ...Object.fromEntries(names.map((each) => [each, point[each]])), districtName, hospitalName }}
      />
      <CommandButton
        {...common}
        endpoint={stopPoint}
        verb="stopPoint"
        tone="danger"
        isEnabled={pointState.can(state, 'stop')}
      />
      <CommandButton
        {...common}
        endpoint={resumePoint}
        verb="resumePoint"
        tone="main"
        isEnabled={pointState.can(state, 'resume')}
      />
      <RemoveButton
        {...common}
        endpoint={removePoint}
        verb="removePoint"
        isEnabled={machines === 0}
        changes={[listPoints]}
      />
    </>
  )
}
