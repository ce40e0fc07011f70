import { listAssignees } from '@aisle/contract/alarm/alarm'
import { refInput } from '../../admin/form/refInput'

/** People of merchants in sight, with how much each has on their hands already. */
export const AssigneeInput = refInput({
  list: listAssignees,
  optionOf: ({ id, name, account, merchantName, lasting }) => ({
    value: id,
    word: name,
    note: [account, merchantName, lasting > 0 ? `${lasting}` : ''].filter(Boolean).join(' · '),
  }),
})
