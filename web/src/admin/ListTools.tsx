import { Figures } from '../ui/facts'
import { Money } from '../ui/money'
import { PanelButton } from '../ui/panel'
import { type Text, useText } from '../ui/text'
import { ColumnPanel } from './ColumnPanel'
import { visible } from './columns'
import { countText } from './fields/number'
import type { ListPage, ListState } from './declaration'
import { ExportButton } from './ExportButton'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import type { ListEndpoint, SumsOf } from './useList'
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
  const figures = whole?.sums && page.sums ? Object.entries(page.sums(whole.sums as SumsOf<L>)) : []
  return (
    <div className="list-tools">
      {figures.length > 0 && (
        <Figures
          facts={figures.map(([name, sum]) => ({
            label: t.any(`field.${name}`),
            value: page.fields[name]?.kind === 'count' ? countText(sum) : <Money fen={sum} />,
          }))}
        />
      )}
      {page.sums && whole && !whole.sums && <span className="list-total">{kit('list.tooMany')}</span>}
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
