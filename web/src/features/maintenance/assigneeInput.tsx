import { listAssignees } from '@aisle/contract/alarm/alarm'
import { refInput } from '../../admin/form/refInput'

/** People of merchants in sight; the server refuses one who does not see the machine. */
export const AssigneeInput = refInput({
  list: listAssignees,
  optionOf: ({ id, name, account, merchantName }) => ({ value: id, word: name, note: `${account} · ${merchantName}` }),
})
