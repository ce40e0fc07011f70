import { listMachines } from '@aisle/contract/fleet/machine'
import { refInput } from '../admin/form/refInput'

/** A machine in sight, by its code, name or location. */
export const MachineInput = refInput({
  list: listMachines,
  optionOf: ({ code, name }) => ({ value: code, word: `${code} ${name}` }),
})
