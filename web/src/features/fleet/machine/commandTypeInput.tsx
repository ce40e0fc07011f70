import { batchFields } from '@aisle/contract/device/batch'
import { sendCommand } from '@aisle/contract/device/command'
import type { InputProps } from '../../../admin/form/input'
import { inputFor } from '../../../admin/form/inputs'
import { useText } from '../../../ui/text'

const field = batchFields.type
const StateInput = inputFor(field, sendCommand.input.shape.type)

/** A command by its name, and below it what it does. */
export function CommandTypeInput(props: InputProps) {
  return <StateInput {...props} field={field} t={useText('device')} />
}
