import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { countText } from '../../admin/fields/number'
import type { ListEndpoint, RowOf } from '../../admin/useList'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'
import styles from './batch.module.css'

const FIRST = 20
const MOST = 200

/** The first rows of a list within a drawer; what lies beyond is found by its search. */
export function Listed<L extends ListEndpoint>(props: {
  list: L
  query: Record<string, unknown>
  none: string
  /** The name of the filter that is typed in, where the list has one. */
  search?: string
  children: (rows: readonly RowOf<L>[]) => ReactNode
}) {
  const { list, query, none, search, children } = props
  const t = useText('medicine')
  const [pageSize, setPageSize] = useState(FIRST)
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const asked = { ...query, ...(search && q ? { [search]: q } : {}) }
  const { data } = useEndpoint(list, { ...asked, pageSize } as CallOf<L>)
  const { data: count } = useEndpoint(list.count, asked as CallOf<L['count']>, { errors: 'silent' })
  const rows: readonly RowOf<L>[] = data?.items ?? []
  const total = (count as { total: number | null } | undefined)?.total
  return (
    <div className={styles.listed}>
      {search && (
        <input
          type="search"
          className="field"
          aria-label={t.any(`field.${search}`)}
          placeholder={t.any(`field.${search}`)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {data && rows.length === 0 && <p className="quiet">{none}</p>}
      {children(rows)}
      {data?.nextCursor && (
        <p className="quiet">
          {t('places.shown', { shown: countText(rows.length), total: total ? countText(total) : '10,000+' })}{' '}
          {pageSize < MOST && (
            <button type="button" className="btn" onClick={() => setPageSize(MOST)}>
              {t('places.more')}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
