import { countFields, getCount, listCounts } from '@aisle/contract/counting/count'
import type { ComponentType } from 'react'
import { listPage } from '../../admin/listPage'
import type { ListAddress } from '../../admin/useAddress'
import { CountDrawer } from './countDrawer'

export type OpenButton = ComponentType<{ address: ListAddress }>

/** Every count with how far it is, and what it came to. */
export const countsOf = (screen: string, actions: OpenButton | undefined): ComponentType =>
  listPage({
    screen,
    part: 'counts',
    list: listCounts,
    fields: countFields,
    words: 'counting',
    columns: [
      'no',
      'machineCode',
      'state',
      'counted',
      'lines',
      'differing',
      'deltaPieces',
      'costFen',
      'countedBy',
      'openedAt',
      'postedBy',
      'postedAt',
      'pointName',
      'scope',
      'machineName',
      'routeName',
      'hospitalName',
      'merchantName',
      'openedBy',
      'countedAt',
    ],
    hidden: ['scope', 'machineName', 'routeName', 'hospitalName', 'merchantName', 'openedBy', 'countedAt'],
    filters: ['q', 'state'],
    moreFilters: ['scope', 'machineCode', 'merchantId'],
    presets: [
      { name: 'toCount', query: () => ({ state: 'counting' }) },
      { name: 'again', query: () => ({ state: 'recounting' }) },
      { name: 'review', query: () => ({ state: 'review' }) },
    ],
    sums: ({ costFen }) => ({ costFen }),
    ...(actions ? { actions } : {}),
    drawer: CountDrawer,
    live: { kinds: ['stockCount'], also: [getCount] as const },
  })
