import { listDistricts } from '@aisle/contract/fleet/area'
import { listMachineGroups } from '@aisle/contract/fleet/group'
import { listHospitals } from '@aisle/contract/fleet/hospital'
import { listPoints } from '@aisle/contract/fleet/point'
import { listFillers } from '@aisle/contract/fleet/route'
import type { InputProps } from '../../../admin/form/input'
import { refInput } from '../../../admin/form/refInput'

/** The word of what was there before stands beside its id in the form's values. */
const wordBeside =
  (id: string, word: string) =>
  (values: InputProps['values']): string =>
    values[id] ? String(values[word] ?? '') : ''

/** Any point in sight that takes machines. */
export const FreePointInput = refInput({
  list: listPoints,
  query: { state: 'active' },
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
})

export const DistrictInput = refInput({
  list: listDistricts,
  optionOf: ({ id, areaName, name, merchantName }) => ({
    value: id,
    word: `${areaName} / ${name}`,
    note: merchantName,
  }),
  wordOf: wordBeside('districtId', 'districtName'),
})

export const HospitalInput = refInput({
  list: listHospitals,
  query: { state: 'active' },
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
  wordOf: wordBeside('hospitalId', 'hospitalName'),
})

export const FillerInput = refInput({
  list: listFillers,
  optionOf: ({ id, name, account }) => ({ value: id, word: name, note: account }),
  wordOf: wordBeside('userId', 'userName'),
})

export const GroupInput = refInput({
  list: listMachineGroups,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
})
