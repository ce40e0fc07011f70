import {
  addDoctor,
  type Doctor,
  doctorFields,
  editDoctor,
  getDoctor,
  getDoctorChoices,
  listDoctors,
} from '@aisle/contract/people/doctor'
import { use } from 'react'
import { CommandButton } from '../../admin/commandButton'
import { controlProps, type InputProps } from '../../admin/form/input'
import { useEndpoint } from '../../live/query'
import { useSession } from '../../live/session'
import { useFirstPassword } from '../../ui/feedback/firstPassword'
import { useText } from '../../ui/text'
import { IdSelect, LanguageInput, OwnerContext } from './choiceInputs'
import { indented } from './tree.rules'

const changes = [listDoctors, getDoctor] as const

function useDoctorChoices({ merchantId }: Readonly<Record<string, unknown>>) {
  const owner = use(OwnerContext) ?? merchantId
  const input = typeof owner === 'number' ? { merchantId: owner } : {}
  return useEndpoint(getDoctorChoices, input, { errors: 'silent', staleTime: 30_000 }).data
}

function HospitalInput(props: InputProps) {
  const hospitals = useDoctorChoices(props.values)?.hospitals ?? []
  return <IdSelect {...props} options={hospitals.map(({ id, name, city }) => ({ id, name: `${name} (${city})` }))} />
}

function DoctorOwnerInput(props: InputProps) {
  return <IdSelect {...props} options={indented(useDoctorChoices(props.values)?.merchants ?? [])} />
}

/** The departments of the hospital that is chosen are offered; others may be typed. */
function DepartmentInput(props: InputProps) {
  const { id, value, onChange, values } = props
  const hospitals = useDoctorChoices(values)?.hospitals ?? []
  const names = hospitals.find((each) => each.id === values.hospitalId)?.departments ?? []
  return (
    <>
      <input
        {...controlProps(props)}
        list={`${id}-list`}
        maxLength={40}
        autoComplete="off"
        value={typeof value === 'string' ? value : ''}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-list`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

const inputs = {
  merchantId: DoctorOwnerInput,
  hospitalId: HospitalInput,
  department: DepartmentInput,
  language: LanguageInput,
}

export function AddDoctor() {
  const t = useText('people')
  const [tell, told] = useFirstPassword()
  const merchant = useSession()?.info?.merchant
  return (
    <>
      <CommandButton
        endpoint={addDoctor}
        verb="addDoctor"
        t={t}
        tone="main"
        fields={{ ...doctorFields, licenceValidFrom: { kind: 'text' }, licenceIssuedBy: { kind: 'text' } }}
        inputs={inputs}
        groups={[
          { key: 'person', names: ['account', 'name', 'phone', 'language', 'merchantId'] },
          { key: 'work', names: ['profession', 'hospitalId', 'department'] },
          { key: 'licence', names: ['licenceNumber', 'licenceIssuedBy', 'licenceValidFrom', 'licenceValidTo'] },
        ]}
        initial={{ merchantId: merchant?.id, profession: 'doctor', language: 'zh', hospitalId: null, department: '' }}
        changes={changes}
        onDone={({ firstPassword }) => tell(firstPassword, (vars) => t('verb.addDoctor.done', vars))}
      />
      {told}
    </>
  )
}

export function DoctorVerbs({ doctor }: { doctor: Doctor }) {
  const t = useText('people')
  const { id, version, merchantId, name, profession, hospitalId, department } = doctor
  return (
    <OwnerContext value={merchantId}>
      <CommandButton
        endpoint={editDoctor}
        verb="editDoctor"
        t={t}
        target={{ id, version }}
        vars={{ name }}
        fields={doctorFields}
        names={['profession', 'hospitalId', 'department']}
        inputs={inputs}
        initial={{ profession, hospitalId, department }}
        changes={changes}
      />
    </OwnerContext>
  )
}
