import { useText } from '../ui/text'

/** Further on in a list that a drawer shows, and back to its beginning; each page is as dear as the first. */
export function KeyPager(props: {
  cursor: string | undefined
  next: string | null
  turn: (cursor: string | undefined) => void
}) {
  const { cursor, next, turn } = props
  const t = useText('admin')
  if (cursor === undefined && next === null) return null
  return (
    <nav className="tags" aria-label={t('list.pages')}>
      <button type="button" className="btn" disabled={cursor === undefined} onClick={() => turn(undefined)}>
        {t('list.first')}
      </button>
      <button type="button" className="btn" disabled={next === null} onClick={() => turn(next ?? undefined)}>
        {t('list.next')}
      </button>
    </nav>
  )
}
