import { useRef } from 'react'
import { useText } from '../ui/text'
import type { ListAddress } from './useAddress'
import styles from './list.module.css'

/** Pages by cursor: forward and back, each as dear as the first; a page that was turned is read from its top. */
export function Pager({ address, nextCursor }: { address: ListAddress; nextCursor: string | null }) {
  const t = useText('admin')
  const bar = useRef<HTMLElement>(null)
  const { pagesBefore } = address
  const isOnlyPage = pagesBefore === 0 && nextCursor === null
  if (isOnlyPage) return null
  const turn = (page: () => void) => () => {
    page()
    const list = bar.current?.parentElement
    list?.querySelector('[data-part~=table-holder]')?.scrollTo({ top: 0 })
    list?.scrollIntoView({ block: 'start' })
  }
  return (
    <nav ref={bar} className={styles.pager} aria-label={t('list.pages')}>
      {pagesBefore !== null && <span>{t('list.page', { page: pagesBefore + 1 })}</span>}
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
