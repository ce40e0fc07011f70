import { prescriptionState } from '@aisle/contract/pharmacy/states'
import type { OutputOf } from '@aisle/contract/kernel/endpoint'
import { getPractice } from '@aisle/contract/pharmacy/medicine'
import { editPrescription, writePrescription } from '@aisle/contract/pharmacy/write'
import { screenOf } from '@aisle/contract/screens'
import { useNavigate } from '@tanstack/react-router'
import { Form } from '../../admin/form/form'
import { controlProps, type InputProps } from '../../admin/form/input'
import type { FormShape } from '../../admin/form/useForm'
import { refetch, useEndpoint } from '../../live/query'
import { toast } from '../../ui/feedback/notice'
import { useText } from '../../ui/text'
import { LinesInput } from './linesInput'
import type { Detail } from './prescriptionDrawer'
import { shownPrescriptions } from './prescriptionVerbs'

type Practice = OutputOf<typeof getPractice>

const fields = { condition: { kind: 'longText' }, advice: { kind: 'longText' } } as const
const inputs = { lines: LinesInput, hospitalId: HospitalChoice }
const groups = [
  { key: 'patient', names: ['patientName', 'patientIdNumber', 'sex', 'birthYear', 'patientFacts', 'allergies'] },
  { key: 'medicines', names: ['condition', 'lines', 'advice'] },
  { key: 'uses', names: ['uses', 'intervalDays'] },
  { key: 'place', names: ['hospitalId', 'department'] },
]
const submission = { key: 'review', names: ['warningReason', 'isSubmitted'] }
/** A single use has no days between. */
const without: NonNullable<FormShape['without']> = ({ uses }) => (Number(uses) > 1 ? [] : ['intervalDays'])

/** For a doctor with the patient beside them: who, what for, which medicines, and off to the pharmacist. */
export function PrescriptionForm({ detail }: { detail: Detail | null }) {
  const t = useText('pharmacy')
  const { data: practice } = useEndpoint(getPractice, {}, { errors: 'silent' })
  if (!practice) return <div className="bone" />
  if (practice.profession !== 'doctor' || !practice.isInForce) return <p className="fault">{t('page.practice')}</p>
  return (
    <>
      <p className="quiet">{t('page.about', { days: practice.validDays })}</p>
      {detail ? <Edited detail={detail} /> : <Written practice={practice} />}
    </>
  )
}

function useShown() {
  const navigate = useNavigate()
  return async (id: number) => {
    await refetch(...shownPrescriptions)
    await navigate({ to: screenOf('jygl/cfxq').path, search: { id: String(id) } })
  }
}

function Written({ practice: { hospitalId, department } }: { practice: Practice }) {
  const t = useText('pharmacy')
  const show = useShown()
  return (
    <Form
      spec={{
        t,
        endpoint: writePrescription,
        fields,
        inputs,
        groups: [...groups, submission],
        without,
        initial: { hospitalId, department, uses: 1, intervalDays: 0, patientFacts: [], isSubmitted: true },
      }}
      save={t('verb.writePrescription')}
      onSaved={async ({ id, code, state }) => {
        toast(
          'good',
          t(prescriptionState.is(state, 'draft') ? 'verb.writePrescription.done' : 'verb.submitPrescription.done', {
            code,
          }),
        )
        await show(id)
      }}
    />
  )
}

function Edited({ detail }: { detail: Detail }) {
  const t = useText('pharmacy')
  const show = useShown()
  const { id, version, sex, birthYear, patientFacts, allergies, condition, advice, uses, intervalDays } = detail
  const lines = detail.lines.map(({ productId, quantity, dose, timesADay, days, usage }) => ({
    productId,
    quantity,
    dose,
    timesADay,
    days,
    usage,
  }))
  return (
    <Form
      spec={{
        t,
        endpoint: editPrescription,
        fields,
        inputs,
        groups,
        without,
        target: { id, version },
        initial: {
          patientName: '',
          patientIdNumber: '',
          sex,
          birthYear,
          patientFacts,
          allergies: allergies.join(', '),
          condition,
          lines,
          advice,
          uses,
          intervalDays,
          hospitalId: detail.hospitalId,
          department: detail.department,
          names: new Map(detail.lines.map(({ productId, name }) => [productId, name])),
        },
      }}
      save={t('verb.editPrescription.save')}
      onSaved={async ({ code }) => {
        toast('good', t('verb.editPrescription.done', { code }))
        await show(id)
      }}
    />
  )
}

function HospitalChoice(props: InputProps) {
  const { value, onChange } = props
  const kit = useText('admin')
  const { data } = useEndpoint(getPractice, {}, { errors: 'silent' })
  return (
    <select
      {...controlProps(props)}
      value={typeof value === 'number' ? String(value) : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">{kit('form.none')}</option>
      {(data?.hospitals ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
