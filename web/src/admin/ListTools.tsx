import { useEndpoint } from '../live/query'
import { Figures } from '../ui/facts'
import { Money } from '../ui/money'
import { PanelButton } from '../ui/panel'
import { currentLocale, type Text, useText } from '../ui/text'
import { ColumnPanel } from './ColumnPanel'
import { visible } from './columns'
import { countText } from './fields/number'
import { clockTime } from './fields/time-text'
import type { ListPage, ListState } from './declaration'
import { ExportButton } from './ExportButton'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import type { ListEndpoint, SumEndpoint, SumsOf } from './useList'
import './list.css'

/** The strip above the rows: what the filter sums to, the order, and how the rows are shown. */
export function ListTools<L extends ListEndpoint>(props: {
  page: ListPage<L>
  address: ListAddress
  prefs: ListPrefs
  setPrefs: (change: Partial<ListPrefs>) => void
  whole: ListState<L>['whole']
  t: Text
}) {
  const { page, address, prefs, setPrefs, whole, t } = props
  const kit = useText('admin')
  const isTooMany = page.sums !== undefined && whole !== undefined && !whole.sums
  const { cursor: _, sort: __, pageSize: ___, ...filter } = address.query
  return (
    <div className="list-tools">
      {whole?.sums && <SumFigures page={page} sums={whole.sums as SumsOf<L>} t={t} />}
      {isTooMany && !page.sumAll && <span className="list-total">{kit('list.tooMany')}</span>}
      {isTooMany && page.sumAll && (
        <SumAll key={JSON.stringify(filter)} page={page} endpoint={page.sumAll} filter={filter} t={t} />
      )}
      <div className="list-buttons">
        {page.list.sorts.length > 1 && <SortChoice sorts={page.list.sorts} address={address} t={t} />}
        <ExportButton list={page.list.name} query={address.query} columns={visible(page.columns, prefs)} />
        <PanelButton label={kit('list.columns')} face={kit('list.columns')} className="tool only-wide">
          {() => <ColumnPanel page={page} prefs={prefs} setPrefs={setPrefs} t={t} />}
        </PanelButton>
      </div>
    </div>
  )
}

function SumFigures<L extends ListEndpoint>({ page, sums, t }: { page: ListPage<L>; sums: SumsOf<L>; t: Text }) {
  const figures = Object.entries(page.sums?.(sums) ?? {})
  if (figures.length === 0) return null
  return (
    <Figures
      facts={figures.map(([name, sum]) => ({
        label: t.any(`field.${name}`),
        value: page.fields[name]?.kind === 'count' ? countText(sum) : <Money fen={sum} />,
      }))}
    />
  )
}

/** Millions are counted when somebody asks: the figures say of when they are, and stay while the list moves on. */
function SumAll<L extends ListEndpoint>(props: {
  page: ListPage<L>
  endpoint: SumEndpoint
  filter: Record<string, string>
  t: Text
}) {
  const { page, endpoint, filter, t } = props
  const kit = useText('admin')
  const { data, isFetching, refetch } = useEndpoint(endpoint, filter, { enabled: false })
  if (data) {
    return (
      <>
        <SumFigures page={page} sums={data.sums as SumsOf<L>} t={t} />
        <span className="list-total">
          {kit('list.summedAt', { total: countText(data.total), time: clockTime(data.at, currentLocale()) })}
        </span>
      </>
    )
  }
  return (
    <>
      <span className="list-total">{kit('list.tooMany.ask')}</span>
      <button type="button" className="tool" disabled={isFetching} onClick={() => void refetch()}>
        {kit(isFetching ? 'list.summing' : 'list.sumAll')}
      </button>
    </>
  )
}

function SortChoice({ sorts, address, t }: { sorts: readonly string[]; address: ListAddress; t: Text }) {
  const kit = useText('admin')
  return (
    <label className="filter">
      <span>{kit('list.sort')}</span>
      <select value={address.query.sort ?? sorts[0]} onChange={(event) => address.change({ sort: event.target.value })}>
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {t.any(`sort.${sort}`)}
          </option>
        ))}
      </select>
    </label>
  )
}
