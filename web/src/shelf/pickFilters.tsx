import { getMachineGroup, listMachineGroups } from '@aisle/contract/fleet/group'
import { getHospital, listHospitals } from '@aisle/contract/fleet/hospital'
import { getMachine, listMachines } from '@aisle/contract/fleet/machine'
import { getPoint, listPoints } from '@aisle/contract/fleet/point'
import { getRoute, listRoutes } from '@aisle/contract/fleet/route'
import type { CallOf, Endpoint, OutputOf } from '@aisle/contract/kernel/endpoint'
import type { FunctionComponent } from 'react'
import { Filter, InputFilter, type Named } from '../admin/fields/filter'
import { refInput } from '../admin/form/refInput'
import type { ListEndpoint, RowOf } from '../admin/useList'
import { useEndpoint } from '../live/query'
import { can } from '../live/session'
import type { PickOption } from '../ui/control/combobox'
import { FilterGroup } from '../ui/control/filters'
import { Icon } from '../ui/icons'
import { useText } from '../ui/text'

/**
 * A filter by one thing, picked by its name. Who may not see such things has nothing to pick, and reads the number that
 * a link brought.
 * @param picked.wordOf the name of the one that stands in the address
 */
export function pickFilter<L extends ListEndpoint, G extends Endpoint>(picked: {
  list: L
  optionOf: (row: RowOf<L>) => PickOption
  get: G
  wordOf: (one: OutputOf<G>) => string
}): FunctionComponent<Named> {
  const { list, optionOf, get, wordOf } = picked
  const Input = refInput({ list, optionOf, wordOf: ({ word }) => String(word) })
  return function PickFilter(props: Named) {
    const value = props.query[props.name] ?? ''
    const isOpen = can(list.access) && can(get.access)
    const { data } = useEndpoint(get, { id: value } as CallOf<G>, { errors: 'silent', enabled: isOpen && value !== '' })
    if (!isOpen) return value ? <Filter {...props} fields={{}} shape={{}} /> : null
    return <InputFilter {...props} input={Input} values={{ word: data && value ? wordOf(data) : value }} />
  }
}

/** A filter that only a link brings, by a number that nobody knows: it says what that is, and can be taken away. */
export function GivenFilter({ name, query, change, t, word = `#${query[name]}` }: Named & { word?: string }) {
  const kit = useText('admin')
  if (!query[name]) return null
  const label = t.any(`field.${name}`)
  return (
    <FilterGroup label={label} isOn>
      <output>{word}</output>
      <button
        type="button"
        className="icon-btn"
        aria-label={kit('pick.clear', { name: label })}
        onClick={() => change({ [name]: '' })}
      >
        <Icon name="close" size={14} />
      </button>
    </FilterGroup>
  )
}

/** The same in words, for whoever may read what it is. */
export const givenFilter =
  <G extends Endpoint>(get: G, wordOf: (one: OutputOf<G>) => string): FunctionComponent<Named> =>
  (props: Named) => {
    const id = props.query[props.name]
    const isOpen = id !== undefined && can(get.access)
    const { data } = useEndpoint(get, { id } as CallOf<G>, { errors: 'silent', enabled: isOpen })
    return <GivenFilter {...props} {...(data && { word: wordOf(data) })} />
  }

export const PointFilter = pickFilter({
  list: listPoints,
  optionOf: ({ id, name, city }) => ({ value: id, word: name, note: city }),
  get: getPoint,
  wordOf: ({ name }) => name,
})
export const HospitalFilter = pickFilter({
  list: listHospitals,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  get: getHospital,
  wordOf: ({ name }) => name,
})
export const MachineFilter = pickFilter({
  list: listMachines,
  optionOf: ({ id, code, name }) => ({ value: id, word: `${code} ${name}` }),
  get: getMachine,
  wordOf: ({ code, name }) => `${code} ${name}`,
})
export const RouteFilter = pickFilter({
  list: listRoutes,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  get: getRoute,
  wordOf: ({ name }) => name,
})
export const GroupFilter = pickFilter({
  list: listMachineGroups,
  optionOf: ({ id, name, merchantName }) => ({ value: id, word: name, note: merchantName }),
  get: getMachineGroup,
  wordOf: ({ name }) => name,
})
