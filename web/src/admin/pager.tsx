import { PAGE_SIZE } from '@aisle/contract/kernel/endpoint'
import { type FormEvent, useRef } from 'react'
import { useText } from '../ui/text'
import { countText } from './fields/number'
import type { ListPrefs } from './stored'
import type { ListAddress } from './useAddress'
import { type ListEndpoint, useWhole } from './useList'
import styles from './list.module.css'

const PAGE_SIZES = [PAGE_SIZE, 50, 100, 200]

/** Pages by cursor: forward and back, each as dear as the first; a page that was turned is read from its top. */
export function Pager(props: {
  address: ListAddress
  nextCursor: string | null
  /** Of a list that counts what its filter leaves: a page is then one of so many. */
  list?: ListEndpoint
  prefs?: Pick<ListPrefs, 'pageSize'>
  /** Without it, the size of a page is not for choice. */
  setPrefs?: (change: Partial<ListPrefs>) => void
}) {
  const { address, nextCursor, list, prefs, setPrefs } = props
  const t = useText('admin')
  const bar = useRef<HTMLElement>(null)
  const { pagesBefore } = address
  const size = Number(address.query.pageSize ?? prefs?.pageSize ?? PAGE_SIZE)
  const isOnlyPage = pagesBefore === 0 && nextCursor === null
  if (isOnlyPage && size === PAGE_SIZE) return null
  const turn = (page: () => void) => () => {
    page()
    const shown = bar.current?.parentElement
    shown?.querySelector('[data-part~=table-holder]')?.scrollTo({ top: 0 })
    shown?.scrollIntoView({ block: 'start' })
  }
  const resize = (pageSize: number) => {
    setPrefs?.({ pageSize })
    address.change({ pageSize: '' })
  }
  return (
    <nav ref={bar} className={styles.pager} aria-label={t('list.pages')}>
      {pagesBefore !== null && list && <PageNumber {...{ address, list, size, turn }} at={pagesBefore + 1} />}
      {pagesBefore !== null && !list && <span>{t('list.page', { page: pagesBefore + 1 })}</span>}
      {setPrefs && (
        <label className={styles.onlyWide}>
          {t('list.rows')}{' '}
          <select value={size} onChange={(event) => resize(Number(event.target.value))}>
            {[...new Set([...PAGE_SIZES, size])].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {pagesBefore === null ? (
        <button type="button" className="btn" onClick={turn(() => address.change({}))}>
          {t('list.first')}
        </button>
      ) : (
        <button type="button" className="btn" disabled={pagesBefore === 0} onClick={turn(address.previousPage)}>
          {t('list.previous')}
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={nextCursor === null}
        onClick={turn(() => nextCursor !== null && address.nextPage(nextCursor))}
      >
        {t('list.next')}
      </button>
    </nav>
  )
}

/** Which page it is and, where they are counted, of how many: another one is typed. */
function PageNumber(props: {
  address: ListAddress
  list: ListEndpoint
  size: number
  at: number
  turn: (page: () => void) => () => void
}) {
  const { address, list, size, at, turn } = props
  const t = useText('admin')
  const { data } = useWhole(list, address.query)
  const pages = Math.ceil((data?.total ?? 0) / size)
  if (pages < 3) return <span>{t('list.page', { page: at })}</span>
  const jump = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const asked = Number(new FormData(event.currentTarget).get('page'))
    if (asked >= 1) turn(() => address.jump((Math.min(asked, pages) - 1) * size, size))()
  }
  return (
    <form onSubmit={jump} className={styles.pageNumber}>
      {t('list.pageOf', { page: at, pages: countText(pages) })}
      <label className={styles.onlyWide}>
        {t('list.jump')} <input key={at} name="page" type="number" min={1} max={pages} step={1} required />
      </label>
    </form>
  )
}
