import { useText } from '../ui/text'
import type { ListAddress } from './useAddress'
import './list.css'

/** Pages by cursor: forward and back, each as dear as the first. */
export function Pager({ address, nextCursor }: { address: ListAddress; nextCursor: string | null }) {
  const t = useText('admin')
  const { pagesBefore } = address
  const isOnlyPage = pagesBefore === 0 && nextCursor === null
  if (isOnlyPage) return null
  return (
    <nav className="pager" aria-label={t('list.pages')}>
      {pagesBefore !== null && <span>{t('list.page', { page: pagesBefore + 1 })}</span>}
      {pagesBefore === null ? (
        <button type="button" className="btn" onClick={() => address.change({})}>
          {t('list.first')}
        </button>
      ) : (
        <button type="button" className="btn" disabled={pagesBefore === 0} onClick={address.previousPage}>
          {t('list.previous')}
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && address.nextPage(nextCursor)}
      >
        {t('list.next')}
      </button>
    </nav>
  )
}
