import type { Endpoint } from '@aisle/contract/kernel/endpoint'
import type { Fields } from '@aisle/contract/kernel/field'
import type { ComponentType } from 'react'
import type { FilterProps } from './fields/filter'
import type { Topic } from '../live/topics'
import type { Namespace } from '../ui/text'
import type { BatchLead, BatchVerb } from './batch'
import type { DrawerRow } from './rowDrawer'
import type { ListAddress } from './useAddress'
import type { ListEndpoint, RowOf, SumsOf, useList } from './useList'

/** Conditions under a name (`preset.<name>`; of days, the kit's own); those that depend on the day are made from it. */
export type Preset = { name: string; query: (today: string) => Record<string, string> }

export type ListPage<L extends ListEndpoint = ListEndpoint> = {
  /** Its key in the contract: gives title, path and permission. */
  screen: string
  /** Where the screen shows several lists: which one this is. */
  part?: string
  list: L
  fields: Fields
  /** The catalog with `field.<name>`, `sort.<name>`, `preset.<name>` (of days, the kit has it) and `empty`. */
  words: Namespace
  /** The first one names the row and opens it. */
  columns: readonly (keyof RowOf<L> & string)[]
  /** Columns that stand ready in the column choice and are not shown as shipped. */
  hidden?: readonly (keyof RowOf<L> & string)[]
  /** Columns by which the list can be ordered, with the name of that order in the endpoint. */
  sortable?: Partial<Record<keyof RowOf<L> & string, L['sorts'][number]>>
  filters: readonly string[]
  moreFilters?: readonly string[]
  /** Inputs of its own for some filters. */
  filterInputs?: Readonly<Record<string, ComponentType<FilterProps>>>
  presets?: readonly Preset[]
  /** Above the filters; its figures are ways to filter. */
  summary?: ComponentType<{ address: ListAddress }>
  /** What the sums of the filter say, under `field.<name>`; in fen, but where the field of that name is a count. */
  sums?: (sums: SumsOf<L>) => Record<string, number>
  /** Beside the title, and in the empty list as its first step. */
  actions?: ComponentType<{ address: ListAddress }>
  /** What may be done with several rows at once. */
  batch?: readonly BatchVerb<RowOf<L>>[]
  /** And what is done with them elsewhere. */
  leads?: readonly BatchLead<RowOf<L>>[]
  /** Left out where a row says everything. */
  drawer?: ComponentType<DrawerRow>
  /** What the drawer reads, where that is another right than the list's: who lacks it has rows that do not open. */
  opensWith?: Endpoint
  /** Fetched again when the server pushes: the first page, and what else hangs on the topic or on these objects. */
  live?: LiveList
}

/** `kinds` are the `objectKind`s that commands audit. */
export type LiveList = ({ topic: Topic } | { kinds: readonly string[] }) & { also: readonly Endpoint[] }

export type ListState<L extends ListEndpoint> = ReturnType<typeof useList<L>>
