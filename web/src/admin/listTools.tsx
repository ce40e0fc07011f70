import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { useEndpoint } from '../live/query'
import { Figures } from '../ui/facts'
import { Money } from '../ui/money'
import { PanelButton } from '../ui/panel'
import { currentLocale, type Text, useText } from '../ui/text'
import { conditionsOf } from './address'
import { ColumnPanel } from './columnPanel'
import { visible } from './columns'
import { countText } from './fields/number'
import { clockTime } from '../ui/timeText'
import type { ListPage } from './declaration'
import { ExportButton } from './exportButton'
import { PrintList } from './printList'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import { type ListEndpoint, type SumsOf, useWhole } from './useList'
import styles from './list.module.css'
import panelStyles from '../ui/panel.module.css'
import filtersStyles from '../ui/control/filters.module.css'
import { classes } from '../ui/classes'

/** The strip above the rows: what the filter sums to, the order, and how the rows are shown. */
export function ListTools<L extends ListEndpoint>(props: {
  page: ListPage<L>
  address: ListAddress
  prefs: ListPrefs
  setPrefs: (change: Partial<ListPrefs>) => void
  title: string
  t: Text
}) {
  const { page, address, prefs, setPrefs, title, t } = props
  const kit = useText('admin')
  return (
    <div data-part="list-tools" className={styles.tools}>
      {page.sums && <Sums page={page} query={address.query} t={t} />}
      <div className={styles.buttons}>
        {page.list.sorts.length > 1 && <SortChoice sorts={page.list.sorts} address={address} t={t} />}
        <PrintList page={page} query={address.query} prefs={prefs} title={title} t={t} />
        <ExportButton list={page.list.name} query={address.query} columns={visible(page.columns, prefs)} />
        <PanelButton
          label={kit('list.columns')}
          face={kit('list.columns')}
          className={classes(panelStyles.tool, styles.onlyWide)}
        >
          {() => <ColumnPanel page={page} prefs={prefs} setPrefs={setPrefs} t={t} />}
        </PanelButton>
      </div>
    </div>
  )
}

/** Their names stand there from the start, so that nothing moves when the figures come. */
function Sums<L extends ListEndpoint>({
  page,
  query,
  t,
}: {
  page: ListPage<L>
  query: Record<string, string>
  t: Text
}) {
  const kit = useText('admin')
  const { data, isError, isPlaceholderData } = useWhole(page.list, query)
  if (!data) return isError ? null : <SumFigures page={page} sums={undefined} t={t} />
  if (data.sums) return <SumFigures page={page} sums={data.sums as SumsOf<L>} isOld={isPlaceholderData} t={t} />
  if (!('exact' in page.list.count.input.shape)) return <span className="list-total">{kit('list.tooMany')}</span>
  const filter = conditionsOf(query)
  return <SumAll key={JSON.stringify(filter)} page={page} filter={filter} t={t} />
}

type Figured<L extends ListEndpoint> = {
  page: ListPage<L>
  /** Undefined until they are known. */
  sums: SumsOf<L> | undefined
  isOld?: boolean
  t: Text
}

function SumFigures<L extends ListEndpoint>({ page, sums, isOld = false, t }: Figured<L>) {
  const nothing = Object.fromEntries(Object.keys(page.list.sums).map((name) => [name, 0]))
  const shown = (name: string, sum: number) =>
    page.fields[name]?.kind === 'count' ? countText(sum) : <Money fen={sum} />
  const figures = Object.entries(page.sums?.(sums ?? (nothing as SumsOf<L>)) ?? {})
  const facts = figures.map(([name, sum]) => ({ label: t.any(`field.${name}`), value: sums ? shown(name, sum) : '–' }))
  return <Figures facts={facts} isBusy={isOld || !sums} />
}

/** Millions are counted when somebody asks: the figures say of when they are, and stay while the list moves on. */
function SumAll<L extends ListEndpoint>(props: { page: ListPage<L>; filter: Record<string, string>; t: Text }) {
  const { page, filter, t } = props
  const kit = useText('admin')
  const count: L['count'] = page.list.count
  const asked = { ...filter, exact: 'true' } as CallOf<L['count']>
  const { data, dataUpdatedAt, isFetching, refetch } = useEndpoint(count, asked, { enabled: false })
  if (data?.sums) {
    const time = clockTime(new Date(dataUpdatedAt).toISOString(), currentLocale())
    return (
      <>
        <SumFigures page={page} sums={data.sums as SumsOf<L>} t={t} />
        <span className="list-total">{kit('list.summedAt', { total: countText(data.total ?? 0), time })}</span>
      </>
    )
  }
  return (
    <>
      <span className="list-total">{kit('list.tooMany.ask')}</span>
      <button type="button" className={panelStyles.tool} disabled={isFetching} onClick={() => void refetch()}>
        {kit(isFetching ? 'list.summing' : 'list.sumAll')}
      </button>
    </>
  )
}

function SortChoice({ sorts, address, t }: { sorts: readonly string[]; address: ListAddress; t: Text }) {
  const kit = useText('admin')
  return (
    <label data-part="filter" className={filtersStyles.filter}>
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
