import { machineFields } from '@aisle/contract/fleet/machine'
import { StateCell } from '../../../admin/fields/state'
import type { Text } from '../../../ui/text'

/** Where lines are short, only what is not as it should be is said. */
export const OddOperation = ({ value, t }: { value: string; t: Text }) =>
  value === 'in_operation' ? null : <StateCell value={value} field={machineFields.operation} t={t} />
