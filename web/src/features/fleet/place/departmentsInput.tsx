import { useState } from 'react'
import { controlProps, type InputProps } from '../../../admin/form/input'
import { type Department, departmentsIn, departmentsText } from './departments.rules'

/** Typed as lines; what is being typed stays as it is while it is understood. */
export function DepartmentsInput(props: InputProps) {
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
