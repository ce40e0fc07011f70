import { batchFields } from '@aisle/contract/device/batch'
import type { InputProps } from '../../admin/form/input'
import { inputFor } from '../../admin/form/inputs'
import { useText } from '../../ui/text'

const field = batchFields.type

/** A command by its name, and below it what it does. */
export function CommandTypeInput(props: InputProps) {
  const t = useText('device')
  const Input = inputFor(field, props.schema)
  return <Input {...props} field={field} t={t} />
}
