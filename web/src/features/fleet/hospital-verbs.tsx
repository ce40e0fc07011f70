import {
  addHospital,
  editHospital,
  getHospital,
  hospitalFields,
  hospitalState,
  listHospitals,
  removeHospital,
  resumeHospital,
  stopHospital,
} from '@aisle/contract/fleet/hospital'
import { useState } from 'react'
import { CommandButton } from '../../admin/CommandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { MerchantInput } from '../../admin/form/RefInput'
import { RemoveButton } from '../../admin/RemoveButton'
import { useText } from '../../ui/text'
import { type Department, departmentsIn, departmentsText } from './departments.rules'
import type { HospitalDetail } from './hospital-drawer'

const shown = [listHospitals, getHospital] as const
const names = ['name', 'level', 'province', 'city', 'district', 'address', 'contact', 'phone', 'departments'] as const
const inputs = { merchantId: MerchantInput, departments: DepartmentsInput }

export function AddHospital() {
  const t = useText('fleet')
  return (
    <CommandButton
      endpoint={addHospital}
      verb="addHospital"
      t={t}
      tone="main"
      fields={hospitalFields}
      names={['merchantId', ...names]}
      inputs={inputs}
      changes={shown}
    />
  )
}

export function HospitalVerbs({ hospital }: { hospital: HospitalDetail }) {
  const t = useText('fleet')
  const { id, version, name, state, machineCount: machines, pointCount, doctorCount } = hospital
  const common = { t, target: { id }, vars: { name, machines }, changes: shown }
  return (
    <>
      <CommandButton
        {...common}
        endpoint={editHospital}
        verb="editHospital"
        target={{ id, version }}
        fields={hospitalFields}
        names={names}
        inputs={inputs}
        initial={Object.fromEntries(names.map((each) => [each, hospital[each]]))}
      />
      <CommandButton
        {...common}
        endpoint={stopHospital}
        verb="stopHospital"
        tone="danger"
        isEnabled={hospitalState.can(state, 'stop')}
      />
      <CommandButton
        {...common}
        endpoint={resumeHospital}
        verb="resumeHospital"
        tone="main"
        isEnabled={hospitalState.can(state, 'resume')}
      />
      <RemoveButton
        {...common}
        endpoint={removeHospital}
        verb="removeHospital"
        isEnabled={pointCount === 0 && doctorCount === 0}
        changes={[listHospitals]}
      />
    </>
  )
}

/** Typed as lines; what is being typed stays as it is while it is understood. */
function DepartmentsInput(props: InputProps) {
  const { value, onChange } = props
  const departments = Array.isArray(value) ? (value as Department[]) : []
  const [typed, setTyped] = useState<string | null>(null)
  const isOwn = typed !== null && departmentsText(departmentsIn(typed)) === departmentsText(departments)
  return (
    <textarea
      {...controlProps(props)}
      rows={5}
      value={isOwn ? typed : departmentsText(departments)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(departmentsIn(target.value))
      }}
    />
  )
}
