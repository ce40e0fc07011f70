import { listCounts } from '@aisle/contract/counting/count'
import { type Lying, type LyingList, lyingFields } from '@aisle/contract/counting/lying'
import type { ComponentType } from 'react'
import type { BatchVerb } from '../../admin/batch'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { countsOf, type OpenButton } from './countList'

/** What lies there by the books, and the counts that were made of it: one page, by route, machine, hospital or slot. */
export function countPage(declared: {
  screen: string
  list: LyingList
  columns: readonly (keyof Lying & string)[]
  hidden: readonly (keyof Lying & string)[]
  actions?: OpenButton
  batch?: readonly BatchVerb<Lying>[]
}): ComponentType {
  const { screen, list, columns, hidden, actions, batch } = declared
  const stock = listPage({
    screen,
    part: 'stock',
    list,
    fields: lyingFields,
    words: 'counting',
    columns: [...columns, ...hidden],
    hidden,
    filters: ['q', 'product', 'empty'],
    moreFilters: ['machineCode', 'merchantId'],
    presets: [{ name: 'empty', query: () => ({ empty: 'yes' }) }],
    sums: ({ stock: pieces, shortage, valueFen }) => ({ stock: pieces, shortage, valueFen }),
    ...(actions ? { actions } : {}),
    ...(batch ? { batch } : {}),
    live: { kinds: ['stockCount'], also: [] },
  })
  return partsPage({
    screen,
    words: 'counting',
    parts: [
      { key: 'stock', access: list.access, page: stock },
      { key: 'counts', access: listCounts.access, page: countsOf(screen, actions) },
    ],
  })
}
