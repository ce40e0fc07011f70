import type { Fields } from '@aisle/contract/kernel/field'
import { Cards } from '../ui/cards'
import { Empty } from '../ui/feedback/empty'
import { useIsPhone } from '../ui/narrow'
import { type Column, Table, TableSkeleton } from '../ui/table'
import { type Text, useText } from '../ui/text'
import { conditionsOf } from './address'
import { visible } from './columns'
import { Failure } from './failure'
import { kindOf } from './fields/kinds'
import type { ListPage, ListState } from './declaration'
import { Pager } from './pager'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import type { Selection } from './selection'
import type { ListEndpoint, Row, RowOf } from './useList'

type Parts<L extends ListEndpoint> = {
  page: ListPage<L>
  address: ListAddress
  prefs: ListPrefs
  setPrefs: (change: Partial<ListPrefs>) => void
  list: ListState<L>
  title: string
  t: Text
  selection: Selection<RowOf<L>> | undefined
}

/** The rows, or what stands for them: their shape, what belongs here, or what went wrong. */
export function ListBody<L extends ListEndpoint>(parts: Parts<L>) {
  const { page, address, list, t, prefs, setPrefs } = parts
  const kit = useText('admin')
  const kernel = useText('kernel')
  const { data, error } = list
  const retry = () => void list.refetch()
  if (!data && error) return <Failure failure={error} retry={retry} />
  if (!data) return <TableSkeleton columns={page.columns.length} label={kit('list.loading')} />
  if (list.rows.length === 0) return <Nothing page={page} address={address} text={emptyText(page, t)} />
  return (
    <>
      {error && (
        <p className="list-notice list-notice-bad" role="alert">
          {kit('error.stale')} {error.message}
          <button type="button" className="btn-plain" onClick={retry}>
            {kernel('action.retry')}
          </button>
        </p>
      )}
      <Rows {...parts} />
      <Pager address={address} nextCursor={data.nextCursor} list={page.list} prefs={prefs} setPrefs={setPrefs} />
    </>
  )
}

function Nothing<L extends ListEndpoint>(props: { page: ListPage<L>; address: ListAddress; text: string }) {
  const { page, address, text } = props
  const { actions: Actions } = page
  const kit = useText('admin')
  const isFiltered = Object.keys(conditionsOf(address.query)).length > 0 || address.pagesBefore !== 0
  if (!isFiltered) {
    return (
      <Empty icon="receipt" title={kit('list.nothing')} text={text}>
        {Actions && <Actions address={address} />}
      </Empty>
    )
  }
  return (
    <Empty icon="search" title={kit('list.none')} text={kit('list.none.hint')}>
      <button type="button" className="btn" onClick={() => address.show({})}>
        {kit('filter.clear')}
      </button>
    </Empty>
  )
}

function Rows<L extends ListEndpoint>({ page, address, prefs, list, title, t, selection }: Parts<L>) {
  const kit = useText('admin')
  const sortOf = (name: string) => {
    const sort = page.sortable?.[name as keyof RowOf<L> & string]
    const label = kit('list.sortBy', { name: t.any(`field.${name}`) })
    const isOn = sort === (address.query.sort ?? page.list.sorts[0])
    return sort && { isOn, label, onPick: () => address.change({ sort }) }
  }
  const isOpen = address.open !== null
  const columns = visible(page.columns, prefs).map((name) => columnOf(name, page.fields, t, sortOf(name)))
  const rows = {
    label: title,
    columns,
    rows: list.rows,
    keyOf: (row: Row) => String(row.id),
    hrefOf: (row: Row) => address.hrefOf({ open: String(row.id) }),
    openKey: address.open,
    onOpen: page.drawer && ((row: Row, isStep = false) => address.openRow(String(row.id), isStep || isOpen)),
    selection: selection as Selection<Row> | undefined,
    isFresh: list.isFresh,
    isCompact: prefs.isCompact,
    isStale: list.isPlaceholderData,
  }
  if (!useIsPhone()) return <Table {...rows} />
  // A card has room for one amount beside its name; the others stand below, each under its own.
  const beside = columns.find(({ key }) => placeOf(page.fields, key) === 'aside')
  const placeOnCard = (key: string) => {
    const place = placeOf(page.fields, key)
    return place === 'aside' && key !== beside?.key ? 'line' : place
  }
  return <Cards {...rows} placeOf={({ key }) => placeOnCard(key)} />
}

const placeOf = (fields: Fields, name: string) => kindOf(fieldOf(fields, name)).place
const fieldOf = (fields: Fields, name: string) => fields[name] ?? { kind: 'text' as const }

export function columnOf(name: string, fields: Fields, t: Text, sort: Column<Row>['sort']): Column<Row> {
  const field = fieldOf(fields, name)
  const { Cell, isNumber } = kindOf(field)
  return {
    key: name,
    head: t.any(`field.${name}`),
    isNumber,
    sort,
    cell: (row) => <Cell value={row[name]} field={field} t={t} row={row} />,
  }
}

/** Where a domain or a screen has several lists, each says for itself what belongs into it. */
function emptyText({ screen, part }: { screen: string; part?: string | undefined }, t: Text): string {
  const ofScreen = `empty.${screen.split('/')[1]}`
  const own = [`${ofScreen}.${part}`, ofScreen].find((key) => t.has(key))
  return t.any(own ?? 'empty')
}
