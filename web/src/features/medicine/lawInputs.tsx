import { isSaleLawful, type MedicineClass, medicineClasses } from '@aisle/contract/catalog/product'
import { approvalForm } from '@aisle/contract/medicine/approval'
import { addMedicine, medicine } from '@aisle/contract/medicine/medicine'
import type { InputProps } from '../../admin/form/input'
import { inputFor } from '../../admin/form/inputs'
import { useText } from '../../ui/text'

const { medicineClass, approvalNumber } = addMedicine.input.shape
const ClassSelect = inputFor(medicine.fields.medicineClass, medicineClass)
const NumberInput = inputFor(medicine.fields.approvalNumber, approvalNumber)

/** Where a medicine of this class may be sold, by the rule that every machine is held to. */
const lawOf = (chosen: MedicineClass) =>
  chosen === 'rx' ? 'prescription' : isSaleLawful('retail', chosen) ? 'everywhere' : 'hospitalOnly'

/** Says while one chooses what the law makes of it. */
export function ClassInput(props: InputProps) {
  const t = useText('medicine')
  const chosen = medicineClasses.find((each) => each === props.value)
  return (
    <>
      <ClassSelect {...props} />
      {chosen && <span className="field-rule">{t(`law.${lawOf(chosen)}`)}</span>}
    </>
  )
}

/** What speaks against a number stands beside it and not in its way. */
export function ApprovalInput(props: InputProps) {
  const t = useText('medicine')
  const form = approvalForm(typeof props.value === 'string' ? props.value : '')
  return (
    <>
      <NumberInput {...props} />
      {(form === 'unknown' || form === 'none') && (
        <span className="field-changed" role="status">
          {t(`approval.${form}`)}
        </span>
      )}
    </>
  )
}
