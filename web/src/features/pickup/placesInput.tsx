import { listPoints } from '@aisle/contract/fleet/point'
import { severalInput } from '../../admin/form/severalInput'
import { groupsInput, machinesInput } from '../../shelf/severalInputs'

export const MachinesInput = machinesInput()
export const PointsInput = severalInput(listPoints, ({ id, name, city }) => ({ value: id, word: name, note: city }))
export const GroupsInput = groupsInput()
