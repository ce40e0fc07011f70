import { useState } from 'react'
import { useIsPhone } from '../ui/narrow'
import { type Text, useText } from '../ui/text'
import { conditionsOf, type Shape } from './address'
import type { ListPage } from './declaration'
import { Filter, namesOf } from './fields/filter'
import type { ListAddress } from './useAddress'
import styles from './list.module.css'

/** The filters that people use first (on a phone the very first); the others behind "more", unless they are set. */
export function FilterBar(props: {
  page: Pick<ListPage, 'filters' | 'moreFilters' | 'filterInputs' | 'fields'>
  shape: Shape
  address: ListAddress
  t: Text
}) {
  const { page, shape, address, t } = props
  const { filters, moreFilters = [], filterInputs = {}, fields } = page
  const kit = useText('admin')
  const isPhone = useIsPhone()
  const [isMore, setMore] = useState(false)
  const conditions = conditionsOf(address.query)
  const first = isPhone ? filters.slice(0, 1) : filters
  const isSet = (name: string) => namesOf(name).some((each) => conditions[each])
  const all = [...filters, ...moreFilters]
  const shown = all.filter((name) => isMore || first.includes(name) || isSet(name))
  return (
    <div className={styles.filters} role="search" aria-label={kit('filters')}>
      {shown.map((name) => {
        const Input = filterInputs[name] ?? Filter
        return <Input key={name} {...{ name, query: address.query, change: address.change, fields, shape, t }} />
      })}
      {all.length > first.length && (
        <button type="button" className="btn-plain" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
          {isMore ? kit('filter.fewer') : kit('filter.more')}
        </button>
      )}
      {Object.keys(conditions).length > 0 && (
        <button type="button" className="btn-plain" onClick={() => address.show({})}>
          {kit('filter.clear')}
        </button>
      )}
    </div>
  )
}
