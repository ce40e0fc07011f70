import { type CallOf, PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import { screenOf } from '@aisle/contract/screens'
import { type ComponentType, use } from 'react'
import { z } from 'zod'
import { type Held, useHeld } from '../live/held'
import { can } from '../live/session'
import { Hints } from '../ui/feedback/hint'
import { useIsPhone } from '../ui/narrow'
import { News } from '../ui/news'
import { useText } from '../ui/text'
import type { ListPage, ListState } from './declaration'
import { BatchBar } from './batch'
import { countText } from './fields/number'
import { FilterBar } from './filterBar'
import { ListBody } from './listBody'
import { ListTools } from './listTools'
import styles from './list.module.css'
import { RowDrawerContext } from './rowDrawer'
import { PartsContext } from './parts'
import { useListPrefs } from './stored'
import { type ListAddress, useAddress } from './useAddress'
import { useSelection } from './selection'
import { type ListEndpoint, type RowOf, useList, useLive, useWhole } from './useList'
import { ViewBar } from './viewBar'

/** A routed list, from its declaration. A page that needs more composes the same parts by hand. */
export function listPage<L extends ListEndpoint>(declared: ListPage<L>): ComponentType {
  const { drawer: _, ...closed } = declared
  const { path } = screenOf(declared.screen)
  const isTextId = hasTextId(declared.list)
  return function DeclaredListPage() {
    const page: ListPage<L> = !declared.opensWith || can(declared.opensWith.access) ? declared : closed
    const address = useAddress(path, page.list.input.shape, isTextId)
    const kept = useListPrefs(page.part ? `${page.screen}/${page.part}` : page.screen, page.hidden)
    const query = { ...sized(kept[0].pageSize), ...address.query }
    const list = useList(page.list, query)
    const also = page.live?.also ?? []
    const held = useHeld(page.list, query as CallOf<L>, list.rows)
    const isFirst = address.pagesBefore === 0
    useLive(page.live, isFirst ? [page.list, ...also] : also, isFirst ? held : undefined)
    return <ListScreen page={page} address={address} list={list} held={held} kept={kept} />
  }
}

/** What everybody has is not said: it is the same question then, whoever asks. */
const sized = (pageSize: number): Record<string, string> =>
  pageSize === PAGE_SIZE ? {} : { pageSize: String(pageSize) }

const hasTextId = ({ item }: ListEndpoint): boolean =>
  item instanceof z.ZodObject && item.shape.id instanceof z.ZodString

function ListScreen<L extends ListEndpoint>(props: {
  page: ListPage<L>
  address: ListAddress
  list: ListState<L>
  held: Held
  kept: ReturnType<typeof useListPrefs>
}) {
  const { page, address, list, held, kept } = props
  const isPhone = useIsPhone()
  const [prefs, setPrefs] = kept
  const t = useText(page.words)
  const title = useText('screens').any(page.screen)
  const selection = useSelection(list.rows, page.columns[0] ?? 'id')
  const { summary: Summary, actions: Actions, batch, leads = [] } = page
  const changes = [page.list, ...(page.live?.also ?? [])]
  const parts = { page, address, prefs, setPrefs, t }
  return (
    <div className={styles.list}>
      <div className="list-main" inert={isPhone && address.open !== null}>
        <header className="list-head">
          <h1>{title}</h1>
          <Total list={page.list} query={address.query} />
          {Actions && (
            <div className="list-actions">
              <Actions address={address} />
            </div>
          )}
        </header>
        {use(PartsContext)}
        {Summary && <Summary address={address} />}
        <ViewBar {...parts} />
        <FilterBar {...parts} shape={page.list.input.shape} />
        <section className="list-card" aria-label={title} {...held.area}>
          <News held={held} />
          {batch && selection.chosen.length > 0 && (
            <BatchBar {...{ leads, selection, t, changes, address }} verbs={batch} list={page.list} />
          )}
          <ListTools {...parts} title={title} />
          <ListBody {...parts} list={list} title={title} selection={batch ? selection : undefined} />
        </section>
      </div>
      <OpenRow page={page} address={address} rows={list.rows} />
      <Hints />
    </div>
  )
}

/** Its line is kept until the number comes, and an old one is shown as such. */
function Total({ list, query }: { list: ListEndpoint; query: Record<string, string> }) {
  const t = useText('admin')
  const { data, isPlaceholderData } = useWhole(list, query)
  return (
    <span className="list-total" aria-busy={isPlaceholderData}>
      {data === undefined && '\u00a0'}
      {data?.total === null && t('list.totalOver')}
      {typeof data?.total === 'number' && t('list.total', { total: countText(data.total) })}
    </span>
  )
}

function OpenRow<L extends ListEndpoint>(props: {
  page: ListPage<L>
  address: ListAddress
  rows: readonly RowOf<L>[]
}) {
  const { page, address, rows } = props
  const { open } = address
  const { drawer: DrawerOfRow } = page
  if (!open || !DrawerOfRow) return null
  const at = rows.findIndex((row) => String(row.id) === open)
  const step = (by: -1 | 1) => {
    const row = at < 0 ? undefined : rows[at + by]
    return row && (() => address.openRow(String(row.id), true))
  }
  return (
    <RowDrawerContext value={{ close: address.close, previous: step(-1), next: step(1) }}>
      <DrawerOfRow id={Number(open)} open={open} tab={address.tab} pickTab={address.pickTab} />
    </RowDrawerContext>
  )
}
